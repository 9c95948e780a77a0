# Operands in files: NumPy's, a case's directory, and what a wrong gradient is right for.
noinst_LTLIBRARIES += libfile.la
libfile_la_CFLAGS = $(ROOM_CFLAGS)
libfile_la_SOURCES = conformance/file/npy.c conformance/file/npy.h conformance/file/npy_header.c \
	conformance/file/npy_header.h conformance/file/npy_write.c conformance/file/file_error.c \
	conformance/file/file_error.h conformance/file/manifest.c \
	conformance/file/manifest.h conformance/file/tensors.c conformance/file/tensors.h \
	conformance/file/artefacts.c conformance/file/artefacts.h conformance/file/json.c conformance/file/json.h \
	conformance/file/vector.c conformance/file/vector.h
TESTS_IN_C += conformance/file/test_npy
QUICK_TESTS += conformance/file/test_npy
