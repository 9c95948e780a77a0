# The command `softgpu`.
bin_PROGRAMS += softgpu/softgpu
softgpu_softgpu_SOURCES = \
	softgpu/cli/cli_census.c softgpu/cli/cli_program.c softgpu/cli/cli_run.c softgpu/cli/array_file.c \
	softgpu/cli/array_file.h \
	softgpu/cli/options.c softgpu/cli/run_explain.c softgpu/cli/run_params.c \
	softgpu/cli/run_params.h softgpu/cli/softgpu_cli.h softgpu/cli/softgpu_main.c
softgpu_softgpu_CPPFLAGS = $(AM_CPPFLAGS) -DSG_LIBDIR='"$(pkglibdir)/softgpu"'
softgpu_softgpu_LDADD = $(SOFTGPU_LIBS)
dist_man_MANS += doc/softgpu.1
