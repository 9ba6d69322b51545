// SPDX-License-Identifier: MIT
// A libnccl.so.2 for tests, beside the fake driver: every call succeeds at once and moves nothing. It counts
// how communicators end.
#include <atomic>
#include <gnp/libraries/nccl_functions.hpp>

using namespace gnp::detail;

namespace {

std::atomic<int> something;  // what communicators point to

}  // namespace

extern "C" {

std::atomic<int> fake_aborts, fake_ends;
nccl_status fake_answer = nccl_status::success;

nccl_status ncclGetUniqueId(nccl_unique_id*) { return nccl_status::success; }
nccl_status ncclCommInitRank(nccl_handle* made, int, nccl_unique_id, int) {
  *made = reinterpret_cast<nccl_handle>(&something);
  return nccl_status::success;
}
nccl_status ncclCommFinalize(nccl_handle) { return nccl_status::success; }
nccl_status ncclCommDestroy(nccl_handle) {
  ++fake_ends;
  return nccl_status::success;
}
nccl_status ncclCommAbort(nccl_handle) {
  ++fake_aborts;
  return nccl_status::success;
}
nccl_status ncclCommGetAsyncError(nccl_handle, nccl_status* state) {
  *state = nccl_status::success;
  return nccl_status::success;
}
const char* ncclGetErrorString(nccl_status) { return "an error of NCCL"; }
const char* ncclGetLastError(nccl_handle) { return "and what was before it"; }
nccl_status ncclAllReduce(const void*, void*, std::size_t, nccl_type, nccl_operation, nccl_handle, CUstream) {
  return fake_answer;
}
nccl_status ncclReduce(const void*, void*, std::size_t, nccl_type, nccl_operation, int, nccl_handle, CUstream) {
  return fake_answer;
}
nccl_status ncclReduceScatter(const void*, void*, std::size_t, nccl_type, nccl_operation, nccl_handle,
                              CUstream) {
  return fake_answer;
}
nccl_status ncclBroadcast(const void*, void*, std::size_t, nccl_type, int, nccl_handle, CUstream) {
  return fake_answer;
}
nccl_status ncclAllGather(const void*, void*, std::size_t, nccl_type, nccl_handle, CUstream) {
  return fake_answer;
}
nccl_status ncclSend(const void*, std::size_t, nccl_type, int, nccl_handle, CUstream) { return fake_answer; }
nccl_status ncclRecv(void*, std::size_t, nccl_type, int, nccl_handle, CUstream) { return fake_answer; }
nccl_status ncclGroupStart() { return nccl_status::success; }
nccl_status ncclGroupEnd() { return fake_answer; }
}
