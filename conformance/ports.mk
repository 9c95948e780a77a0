# Backends in processes of their own: the protocol, the WebAssembly reference, the template for a port.
libsuite_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'
libsuite_la_SOURCES += conformance/child.c conformance/child.h conformance/proxy.c conformance/proxy.h conformance/wire.c conformance/wire.h
cotangent_SOURCES += conformance/cmd_emit.c conformance/cmd_judge.c conformance/guess.c conformance/guess.h conformance/manifest.c conformance/manifest.h conformance/file_call.c \
	conformance/file_call.h conformance/cmd_serve.c conformance/serve.c conformance/serve.h conformance/fence.c conformance/fence.h

if HAVE_MPFR
libsuite_la_SOURCES += conformance/judge_files.c conformance/judge_files.h
check_PROGRAMS += conformance/test_wasm
endif

# The reference under node: core, backend_ref and the protocol, by emcc, with SIMD and without. At -O2 and above Debian's emcc needs to be
# told where its JavaScript is.
SERVE_FILES = conformance/fence.c conformance/serve.c conformance/wire.c conformance/operand.c conformance/serve_main.c
EMCC_FLAGS = -std=gnu11 -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-unknown-pragmas -I$(top_srcdir)/core \
	-I$(top_srcdir)/conformance -DCOT_REF_KERNELS=cot_ref_baseline
NODE_FLAGS = -s ENVIRONMENT=node -s NODERAWFS=1 -s ALLOW_MEMORY_GROWTH=1
EMCC_NODE = $(AM_V_GEN)$(MKDIR_P) wasm && \
	sources=`for file in $(libcotangent_la_SOURCES) backend_ref/kernels.c $(SERVE_FILES); do \
		case $$file in core/*.c | backend_ref/*.c | conformance/*.c) echo $(top_srcdir)/$$file ;; esac; done` && \
	NODE_PATH=$${NODE_PATH:-/usr/share/nodejs} $(EMCC) $(EMCC_FLAGS) $(NODE_FLAGS) $$sources \
		--pre-js $(top_srcdir)/conformance/serve_node.js -o $@
WASM_NEEDS = $(math_headers) $(libcotangent_la_SOURCES) $(REF_LOOPS) $(SERVE_FILES) conformance/serve_node.js
EXTRA_DIST += conformance/serve_main.c conformance/serve_node.js

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

# Plug-ins that crash, hang, exit and worse, and what becomes of the run.
check_LTLIBRARIES += test_unruly.la
test_unruly_la_SOURCES = conformance/test_unruly.c
test_unruly_la_LDFLAGS = $(PLUGIN_FLAGS)
dist_check_SCRIPTS += conformance/test_ports.sh conformance/test_files.sh

# What a port starts from; conformance/test_install.sh builds it from what was installed, and nothing else.
dist_doc_DATA = doc/porting.md doc/SPEC.md
templatedir = $(docdir)/template
dist_template_DATA = doc/template/port.c doc/template/port.py
