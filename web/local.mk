# The page, and the reference as WebAssembly. The wasm side is built by web/page.mk, with emcc:
#   make web            build/web/index.html; fetches the sources of MPFR the first time
#   make wasm-bench     WebAssembly's speed against the host's
EXTRA_DIST += doc/page.png web/page.mk web/join web/fetch-mpfr web/page.html web/page.css \
	web/bridge.c web/bridge.h web/cell.c web/differences.c web/differences.h web/scene.c web/scene.h web/suite.c web/tables.c \
	web/gpu.c web/dl.c web/kernels.h web/cut-ptx web/bits.js web/text.c web/text.h web/trace.cc web/trace.h web/trace_ops.inc web/traced.h \
	web/controls.js web/dom.js web/engine.js web/formulas.js web/main.js web/map.js web/mathml.js web/numbers.js web/plot.js \
	web/share.js web/stage.js web/state.js web/steps.js web/suite.js web/table.js web/tabs.js web/worker.js

WEB_MAKE = $(MAKE) -f $(top_srcdir)/web/page.mk top='$(abs_top_srcdir)' out='$(abs_top_builddir)/web' EMCC='$(EMCC)' \
	MPFR='$(MPFR_SOURCES)' PYTHON='$(PYTHON3)' $(WEB_KERNELS)

# The GPU kernels that lines of the page's lengths take: their PTX goes along.
EXTRA_PROGRAMS += web/kernel_names
web_kernel_names_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/softgpu
web_kernel_names_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += web/kernel_names$(EXEEXT) web/kernels.txt
if HAVE_PTX
WEB_KERNELS = kernels='$(abs_top_builddir)/web/kernels.txt' ptx='$(abs_top_builddir)/backend_cuda'
WEB_NEEDS = web/kernels.txt
endif
web/kernels.txt: web/kernel_names$(EXEEXT) softgpu/libcuda.so.1
	$(AM_V_GEN)./web/kernel_names > $@.tmp && mv $@.tmp $@

web: $(WEB_NEEDS)
	+@$(MKDIR_P) web && $(WEB_MAKE) page
.PHONY: web web-for-test
clean-local:
	rm -rf web/simd web/scalar web/mpfr web/index.html web/*.a web/gpu web/*.js web/*.wasm web/kernels.json web/images.c

EXTRA_PROGRAMS += bench/wasm_speed
bench_wasm_speed_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += bench/wasm_speed$(EXEEXT)
EXTRA_DIST += bench/wasm_speed.sh
wasm-bench: bench/wasm_speed$(EXEEXT)
	+@$(MKDIR_P) web && $(WEB_MAKE) programs > web/programs.log 2>&1 || { tail -20 web/programs.log; exit 1; }
	builddir='$(abs_top_builddir)' $(top_srcdir)/bench/wasm_speed.sh
.PHONY: wasm-bench

# The page's own test: a browser, and the bits of the native build to compare with.
EXTRA_PROGRAMS += web/native_bits
web_native_bits_SOURCES = web/native_bits.c
web_native_bits_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += web/native_bits$(EXEEXT)
dist_check_SCRIPTS += web/test_page.sh
EXTRA_DIST += web/test_page.py
if HAVE_WEB
web/test_page.log: web-for-test
endif
# A test does not fetch: without MPFR's sources there is no page, and its test says so.
web-for-test:
	+@test ! -e '$(MPFR_SOURCES)/done' || { $(MKDIR_P) web && $(MAKE) web web/native_bits$(EXEEXT) > web/make.log 2>&1 || { tail -20 web/make.log; exit 1; }; }
