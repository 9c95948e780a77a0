# The page. The wasm side is built by web/page.mk, with emcc:
#   make web            build/web/index.html; fetches the sources of MPFR the first time
EXTRA_DIST += doc/page.png web/page.mk web/join web/fetch-mpfr web/cut-ptx web/engine web/gpu web/page

WEB_MAKE = $(MAKE) -f $(top_srcdir)/web/page.mk top='$(abs_top_srcdir)' out='$(abs_top_builddir)/web' EMCC='$(EMCC)' \
	MPFR='$(MPFR_SOURCES)' PYTHON='$(PYTHON3)' $(WEB_KERNELS)

# The GPU kernels that lines of the page's lengths take: their PTX goes along.
EXTRA_PROGRAMS += web/host/kernel_names
web_host_kernel_names_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += web/host/kernel_names$(EXEEXT) web/kernels.txt
if HAVE_PTX
WEB_KERNELS = kernels='$(abs_top_builddir)/web/kernels.txt' ptx='$(abs_top_builddir)/backend_cuda/kernels'
WEB_NEEDS = web/kernels.txt
endif
web/kernels.txt: web/host/kernel_names$(EXEEXT) softgpu/libcuda.so.1
	$(AM_V_GEN)COTANGENT_SOFTGPU='$(abs_top_builddir)/softgpu/libcuda.so.1' ./web/host/kernel_names > $@.tmp
	@test -s $@.tmp && mv $@.tmp $@

web: $(WEB_NEEDS)
	+@$(MKDIR_P) web && $(WEB_MAKE) page
.PHONY: web web-for-test

# doc/page.png, and pictures of the page on many screens, to look at: build/screenshots.
screenshots: web
	builddir=. PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 $(top_srcdir)/web/screenshots.py \
		$(top_srcdir)/doc/page.png screenshots
.PHONY: screenshots
EXTRA_DIST += web/screenshots.py
clean-local:
	rm -rf web/simd web/scalar web/mpfr web/gpu screenshots
	rm -f web/index.html web/*.a web/*.js web/*.wasm web/kernels.json web/images.c web/clauses.c

# The page's own test: a browser, and the bits of the native build to compare with.
EXTRA_PROGRAMS += web/host/native_bits
web_host_native_bits_SOURCES = web/host/native_bits.c
web_host_native_bits_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += web/host/native_bits$(EXEEXT)
SLOWEST_TESTS += web/test_page.sh web/test_bits.sh web/test_look.sh web/test_see.sh web/test_stories.sh \
	web/test_firefox.sh
EXTRA_DIST += web/test_page.sh web/test_bits.sh web/test_look.sh web/test_see.sh web/test_stories.sh \
	web/test_firefox.sh
SLOWEST_TESTS += web/test_hostile.sh
EXTRA_DIST += web/test_hostile.sh web/test_hostile.py
EXTRA_DIST += web/fixture_browser.py web/fixture_firefox.py
EXTRA_DIST += web/test_page.py web/test_bits.py web/test_look.py web/test_see.py web/test_stories.py \
	web/test_firefox.py
if HAVE_WEB
# Before the first test, as programs are: a test that has to wait for it comes after all the others.
PAGE_IS_FOR = web/test_%.sh softgpu/test/test_softgpu_wasm.sh
check_DATA += $(if $(filter $(PAGE_IS_FOR),$(TESTS)),web-for-test)
endif
# A test does not fetch: without MPFR's sources there is no page, and its test says so.
web-for-test:
	+@test ! -e '$(MPFR_SOURCES)/done' || { $(MKDIR_P) web && \
		$(MAKE) web web/host/native_bits$(EXEEXT) > web/make.log 2>&1 || { tail -20 web/make.log; exit 1; }; }
