# The driver's interface.
noinst_LTLIBRARIES += libsg_api.la
libsg_api_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_api_la_SOURCES = \
	softgpu/api/api.def softgpu/api/api.h softgpu/api/api_checks.c softgpu/api/api_context.c \
	softgpu/api/api_copy.c softgpu/api/api_device.c softgpu/api/api_error.c softgpu/api/api_exec.c \
	softgpu/api/api_graph.c softgpu/api/api_host.c softgpu/api/api_launch.c softgpu/api/api_library.c \
	softgpu/api/api_memory.c softgpu/api/api_module.c softgpu/api/api_peer.c softgpu/api/api_pool.c \
	softgpu/api/api_proc.c softgpu/api/api_proto.h softgpu/api/api_state.c softgpu/api/api_stream.c \
	softgpu/api/api_tensor.c softgpu/api/capture.c softgpu/api/cuda_abi.h softgpu/api/errors.def \
	softgpu/api/graph.c softgpu/api/graph_forms.c softgpu/api/unmodelled.c softgpu/api/unmodelled.def \
	softgpu/api/work.c softgpu/api/work.h
