# The reference backend.
libcotangent_la_SOURCES += backend_ref/ref.c backend_ref/order.inc backend_ref/line.inc backend_ref/run.inc
