# Other people's backends: shared libraries and processes behind a small protocol, and the reference in WebAssembly.
noinst_LTLIBRARIES += libport.la
libport_la_CFLAGS = $(ROOM_CFLAGS)
libport_la_SOURCES = conformance/port/adapter.c conformance/port/adapter.h \
	conformance/port/backends.c conformance/port/backends.h conformance/port/child.c conformance/port/child.h \
	conformance/port/fence.c conformance/port/fence.h conformance/port/keeper.c conformance/port/keeper.h \
	conformance/port/limits.c conformance/port/limits.h \
	conformance/port/proxy.c conformance/port/proxy.h \
	conformance/port/serve.c conformance/port/serve.h conformance/port/transfer.c conformance/port/transfer.h \
	conformance/port/wire.c conformance/port/wire.h
libport_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'
dist_check_SCRIPTS += conformance/port/test_ports.sh conformance/port/test_seeds.sh conformance/port/test_spec.sh
LONG_SHELL += conformance/port/test_spec.sh
EXTRA_DIST += conformance/port/fixture_flood.py
TESTS_IN_C += conformance/port/test_child

# The reference under node: what serves a backend, by emcc, with SIMD and without. At -O2 and above Debian's emcc
# needs to be
# told where its JavaScript is.
EMCC_FLAGS = -std=gnu11 -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-unknown-pragmas -I$(top_srcdir) \
	-DCOT_REF_KERNELS=cot_ref_baseline
NODE_FLAGS = -s ENVIRONMENT=node -s NODERAWFS=1 -s ALLOW_MEMORY_GROWTH=1
SERVE_FILES = $(libcore_la_SOURCES) $(libref_la_SOURCES) backend_ref/kernels.c conformance/case/device_run.c \
	conformance/case/operand.c conformance/port/fence.c conformance/port/serve.c conformance/port/transfer.c \
	conformance/port/wire.c conformance/port/serve_main.c
EMCC_NODE = $(AM_V_GEN)$(MKDIR_P) wasm && \
	sources=`for file in $(SERVE_FILES); do case $$file in *.c) echo $(top_srcdir)/$$file ;; esac; done` && \
	NODE_PATH=$${NODE_PATH:-/usr/share/nodejs} $(EMCC) $(EMCC_FLAGS) $(NODE_FLAGS) $$sources \
		--pre-js $(top_srcdir)/conformance/port/serve_node.js -o $@
WASM_NEEDS = $(math_headers) $(REF_LOOPS) $(SERVE_FILES) conformance/port/serve_node.js
EXTRA_DIST += conformance/port/serve_main.c conformance/port/serve_node.js

if HAVE_EMCC
wasmdir = $(pkglibdir)/wasm
wasm_DATA = wasm/wasm.js wasm/wasm.wasm wasm/wasm-nosimd.js wasm/wasm-nosimd.wasm
wasm/wasm.js: $(WASM_NEEDS)
	$(EMCC_NODE) -msimd128 '-DCOT_REF_ISA="WebAssembly, SIMD"'
wasm/wasm-nosimd.js: $(WASM_NEEDS)
	$(EMCC_NODE) '-DCOT_REF_ISA="WebAssembly"'
wasm/wasm.wasm: wasm/wasm.js
wasm/wasm-nosimd.wasm: wasm/wasm-nosimd.js
CLEANFILES += $(wasm_DATA)
endif

# What a port starts from; conformance/house/test_install.sh builds it from what was installed, and nothing else.
dist_doc_DATA = doc/porting.md doc/SPEC.md doc/spec.py doc/spec_math.py doc/spec_port.py \
	doc/suite.md doc/scale.md doc/slurm.txt doc/bounds.md doc/math.md doc/hunt.txt doc/accuracy.md \
	doc/accuracy.svg doc/bandwidth.svg doc/counters.svg doc/lost.md doc/frameworks.md doc/frameworks.txt \
	doc/grading.md doc/python.md doc/cuda.md \
	doc/reference.md doc/softgpu.md doc/softgpu-checkers.md doc/softgpu-programs.md doc/seeds.md doc/baracuda.md \
	doc/seeds.py doc/seeds_plans.py doc/seeds_table.py
templatedir = $(docdir)/template
dist_template_DATA = doc/template/port.c doc/template/port.py
