# WebAssembly: the page, and the reference for node. GNU make, called by web/local.mk in the build directory:
#   make -f page.mk top=SOURCE out=DIRECTORY EMCC=emcc MPFR=SOURCES-OF-MPFR [TARGET]
# Targets: page (out/index.html); programs (for node: speed-simd.js and speed-scalar.js, bench/wasm_speed.c).
.SUFFIXES:
.DELETE_ON_ERROR:
page: $(out)/index.html
.PHONY: page

export NODE_PATH ?= /usr/share/nodejs# Debian's emcc looks for its optimiser there
EMAR ?= $(dir $(EMCC))emar
PYTHON ?= python3

# The same meaning of floating point as everywhere (configure.ac).
exact = -ffp-contract=off -fno-trapping-math -fno-math-errno
warn = -Wall -Wextra -Wno-unknown-pragmas -Wno-pass-failed -Werror
include_dirs = -I$(top)
CFLAGS_WASM = -std=gnu11 -O3 $(exact) $(warn) $(include_dirs) -D_GNU_SOURCE -fopenmp-simd

# ---- sources: the same files as the native build's -------------------------------------------------------------------

# The files of rooms that belong to a library: neither tests nor programs.
sources = $(patsubst $(top)/%.c,%,$(wildcard $(1:%=$(top)/%/*.c)))
room = $(foreach file,$(call sources,$(1)),$(if $(filter test_% fuzz_% fixture_% %_main,$(notdir $(file))),,$(file)))
library = $(call room,core backend_ref)
suite = $(call room,$(addprefix conformance/,case clause truth judge describe mutant))
engine = $(call room,web/engine) web/engine/trace

# ---- objects ---------------------------------------------------------------------------------------------------------

simd = -msimd128
flags = -DCOT_REF_KERNELS=cot_ref_baseline '-DCOT_REF_ISA="WebAssembly$(if $(findstring simd,$1), SIMD)"'
mpfr = -DMPFR_USE_MINI_GMP -DGMP_NUMB_BITS=32 -isystem $(MPFR)/mpfr -isystem $(MPFR)/mini-gmp

$(out)/simd/%.o: $(top)/%.c | $(MPFR)/done
	@mkdir -p $(@D)
	$(EMCC) $(CFLAGS_WASM) $(simd) $(call flags,simd) $(mpfr) -MMD -MP -c $< -o $@
$(out)/simd/%.o: $(top)/%.cc
	@mkdir -p $(@D)
	$(EMCC) -std=gnu++17 -O2 $(exact) $(warn) $(include_dirs) -Wno-unused-function -fno-exceptions -fno-rtti \
		-MMD -MP -c $< -o $@
$(out)/scalar/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(EMCC) $(CFLAGS_WASM) $(call flags,scalar) -MMD -MP -c $< -o $@
-include $(wildcard $(out)/simd/*/*.d $(out)/simd/*/*/*.d $(out)/scalar/*/*.d $(out)/scalar/*/*/*.d)

$(out)/reference-simd.a: $(library:%=$(out)/simd/%.o)
	rm -f $@ && $(EMAR) rcs $@ $^
$(out)/reference-scalar.a: $(library:%=$(out)/scalar/%.o)
	rm -f $@ && $(EMAR) rcs $@ $^

# ---- the CUDA backend on the software device, where there are kernels ------------------------------------------------

# kernels: a file that names those that the page carries, a line "element kernel" each; ptx: the directory of the whole
# PTX.
has_kernels := $(if $(kernels),$(shell test -s $(kernels) && echo yes))
softgpu = $(call room,$(addprefix softgpu/,base ptx decode lanes exec check image api))
gpu = $(addprefix $(out)/gpu/,$(addsuffix .o,$(softgpu) $(call room,backend_cuda web/gpu) core/backend images))
own_dl = $(foreach name,dlopen dlsym dlerror dladdr,-D$(name)=page_$(name)) # web/gpu/dl.c
$(out)/gpu/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(EMCC) $(CFLAGS_WASM) $(simd) $(own_dl) -DHAVE_CUDA '-DCOT_SOFTGPU="softgpu"' '-DPACKAGE_NAME="cotangent"' \
		-MMD -MP -c $< -o $@
-include $(wildcard $(out)/gpu/*/*.d $(out)/gpu/*/*/*.d)
$(out)/kernels.json: $(kernels) $(top)/web/cut-ptx $(wildcard $(top)/backend_cuda/kernels/*.cu)
	$(PYTHON) $(top)/web/cut-ptx $(kernels) $(ptx) $(top)/backend_cuda/kernels > $@
# An image is the name of what the page hands over.
image_rows = import json, sys; [print("{ \"%s\", COT_%s, \"%s\", NULL }," % (m, e.upper(), n)) \
	for n in json.load(sys.stdin)["text"] for m, e in [n.rsplit("_", 1)]]
$(out)/gpu/images.o: $(out)/kernels.json
	@mkdir -p $(@D)
	{ echo '#include "backend_cuda/backend.h"'; echo 'const cuda_image cot_cuda_images[] = {'; \
	  $(PYTHON) -c '$(image_rows)' < $<; \
	  echo '{ NULL, (cot_element)0, NULL, NULL } };'; } > $(out)/images.c
	$(EMCC) $(CFLAGS_WASM) -c $(out)/images.c -o $@

# ---- programs for node, with SIMD and without ------------------------------------------------------------------------

node = -O3 -s ALLOW_MEMORY_GROWTH=1 -s INITIAL_MEMORY=32MB -s NODERAWFS=1 -s EXIT_RUNTIME=1
$(out)/speed-%.js: $(top)/bench/wasm_speed.c $(out)/reference-%.a $(out)/%/conformance/case/operand.o
	$(EMCC) $(CFLAGS_WASM) $(node) $^ -o $@
programs: $(out)/speed-simd.js $(out)/speed-scalar.js
.PHONY: programs

# ---- MPFR, for truth -------------------------------------------------------------------------------------------------

# What its configure would find out about WebAssembly.
mpfr_knows = $(mpfr) -DHAVE_STDARG=1 -DHAVE_VA_COPY=1 -DHAVE_LITTLE_ENDIAN=1 -DHAVE_DOUBLE_IEEE_LITTLE_ENDIAN=1 \
	-DHAVE_LDOUBLE_IEEE_QUAD_LITTLE=1 -DHAVE_SUBNORM_DBL=1 -DHAVE_SUBNORM_FLT=1 -DHAVE_SIGNEDZ=1 -DHAVE_STDINT_H=1 \
	-DHAVE_INTTYPES_H=1 -DHAVE_LONG_LONG=1 -DMPFR_HAVE_INTMAX_MAX=1 -DMPFR_LONG_WITHIN_LIMB=1 -DHAVE_STRTOL=1
$(MPFR)/done:
	$(top)/web/fetch-mpfr $(MPFR)
$(out)/libmpfr.a: $(MPFR)/done
	rm -rf $(out)/mpfr && mkdir -p $(out)/mpfr && cp $(MPFR)/mpfr/mparam_h.in $(out)/mpfr/mparam.h
	cd $(out)/mpfr && sed -n '/^libmpfr_la_SOURCES/,/[^\\]$$/p' $(MPFR)/mpfr/Makefile.am | \
		tr -s ' \\\t' '\n' | grep '\.c$$' | \
		sed 's,^,$(MPFR)/mpfr/,' | xargs -P 2 -n 40 $(EMCC) -O2 -w $(mpfr_knows) -I. -c
	cd $(out)/mpfr && $(EMCC) -O2 -w -c $(MPFR)/mini-gmp/mini-gmp.c && $(EMAR) rcs ../libmpfr.a *.o

# ---- the engine: everything in C, and what Emscripten wraps it in ----------------------------------------------------

link = -O3 -s MODULARIZE=1 -s EXPORT_NAME=createEngine -s ENVIRONMENT=web,worker,node -s ALLOW_MEMORY_GROWTH=1 \
	-s INITIAL_MEMORY=16MB -s SUPPORT_LONGJMP=1 -s FILESYSTEM=0 \
	-s INCOMING_MODULE_JS_API=['wasmBinary','print','printErr'] -s EXPORTED_FUNCTIONS=['_malloc','_free'] \
	-s EXPORTED_RUNTIME_METHODS=['HEAPF64','HEAPU8','UTF8ToString','stringToUTF8','lengthBytesUTF8'] \
	-s STACK_OVERFLOW_CHECK=0 --no-entry
clause_tables = $(top)/doc/SPEC.md $(top)/conformance/clause/tests.def
$(out)/simd/clauses.o: $(top)/conformance/clause/clauses.awk $(clause_tables)
	awk -f $(top)/conformance/clause/clauses.awk $(clause_tables) > $(out)/clauses.c
	$(EMCC) $(CFLAGS_WASM) -c $(out)/clauses.c -o $@
$(out)/libsuite.a: $(suite:%=$(out)/simd/%.o) $(out)/simd/clauses.o
	rm -f $@ && $(EMAR) rcs $@ $^
libraries = $(out)/libsuite.a $(out)/reference-simd.a $(out)/libmpfr.a
$(out)/engine.js: $(engine:%=$(out)/simd/%.o) $(if $(has_kernels),$(gpu)) $(libraries)
	$(EMCC) $(link) $^ -o $@

# ---- the page --------------------------------------------------------------------------------------------------------

modules = $(wildcard $(top)/web/page/*)
$(out)/index.html: $(out)/engine.js $(modules) $(top)/web/join $(if $(has_kernels),$(out)/kernels.json)
	$(PYTHON) $(top)/web/join $(top)/web/page $(out)/engine.js $(out)/engine.wasm \
		$(if $(has_kernels),packed-kernels=$(out)/kernels.json) > $@
	@test $$(wc -c < $@) -le 2097152 || { echo "the page has $$(wc -c < $@) bytes, more than 2 MB"; exit 1; }
