/* The faults that mutants are made of; each file has one kind. */
#ifndef COT_MUTANT_FAULTS_H
#define COT_MUTANT_FAULTS_H

#include "mutant_call.h"

/* What a fault of a line is to do: bits of a row's `with`. */
enum {
    SEQUENTIAL = 1,         /* one term after the other */
    UNTILED = 2,            /* the lanes run through the whole line */
    MISSING_IS_PLUS = 4,    /* +0.0 for a missing term */
    IN_ELEMENT = 8,         /* sums are kept in the element type */
    SKIP_NANS = 16,         /* only finite terms are added */
    MEAN_OVER_M = 32,       /* the mean is divided by m */
    DISTRIBUTED = 64,       /* y * g - y * s */
    KOGGE_STONE = 128,      /* a tree of sums */
    TOTAL_LAST = 256,       /* T + (E + local) */
    EXCLUSIVE = 512,        /* a cell's own term is left out */
    ALONG = 1024,           /* in the forward direction */
    LAST_TIE = 2048,        /* the last of equal cells wins */
    NAN_WINS = 4096,        /* a NaN wins always */
    LEADING_NAN_LOSES = 8192, /* a NaN at the start gives way to a number */
    REALIGNED = 16384,      /* segments start anew at a winner */
    NEVER_RESTARTS = 32768, /* a winner takes all that follows */
    ANCHOR_HALF = 65536,    /* multiples of 8 */
    UNANCHORED = 131072     /* exp(y_k - y_next) */
};

#define POLICY_SWAP(policy, value, instead) ((int)offsetof(cot_policies, policy) | (value) << 8 | (instead) << 16)

cot_status check_honestly(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);

/* mutant_number.c */
void flush_inputs(mutant_call *c);
void swallow_nans(mutant_call *c);
void narrow_inputs(mutant_call *c);
double flush_result(const mutant_call *c, const mutant_spot *s);
double nan_to_zero(const mutant_call *c, const mutant_spot *s);
double infinity_to_nan(const mutant_call *c, const mutant_spot *s);
double saturate(const mutant_call *c, const mutant_spot *s);
double zero_unsigned(const mutant_call *c, const mutant_spot *s);
double zero_negative(const mutant_call *c, const mutant_spot *s);
double narrow_result(const mutant_call *c, const mutant_spot *s);
double units_off(const mutant_call *c, const mutant_spot *s);
double unit_off_at_tile_edges(const mutant_call *c, const mutant_spot *s);
double small_beside_largest(const mutant_call *c, const mutant_spot *s);
double tail_is_zero(const mutant_call *c, const mutant_spot *s);
double noise(const mutant_call *c, const mutant_spot *s);
double thread_dependent(const mutant_call *c, const mutant_spot *s);
double store_truncated(const mutant_call *c, const mutant_spot *s);
double store_rounded_twice(const mutant_call *c, const mutant_spot *s);
double division_by_reciprocal(const mutant_call *c, const mutant_spot *s);
double fused_square(const mutant_call *c, const mutant_spot *s);
double function_off(const mutant_call *c, const mutant_spot *s);

/* mutant_cells.c */
double sum_as_mean(const mutant_call *c, const mutant_spot *s);
double mean_by_reciprocal(const mutant_call *c, const mutant_spot *s);
double count_in_element(const mutant_call *c, const mutant_spot *s);
double count_truncated(const mutant_call *c, const mutant_spot *s);
double max_within_tolerance(const mutant_call *c, const mutant_spot *s);
double max_tie_split(const mutant_call *c, const mutant_spot *s);
double max_tie_first(const mutant_call *c, const mutant_spot *s);
double max_tie_last(const mutant_call *c, const mutant_spot *s);
double max_recomputed(const mutant_call *c, const mutant_spot *s);
double max_nan_spreads(const mutant_call *c, const mutant_spot *s);
double max_nan_takes(const mutant_call *c, const mutant_spot *s);
double max_zero_by_bits(const mutant_call *c, const mutant_spot *s);
double prod_quotient_first(const mutant_call *c, const mutant_spot *s);
double zero_where_x_is(const mutant_call *c, const mutant_spot *s);
double zero_where_y_is(const mutant_call *c, const mutant_spot *s);
double norm2_without_root(const mutant_call *c, const mutant_spot *s);
double lse_without_shift(const mutant_call *c, const mutant_spot *s);
double lse_same_infinity(const mutant_call *c, const mutant_spot *s);
double var_without_two(const mutant_call *c, const mutant_spot *s);
double var_reads_y(const mutant_call *c, const mutant_spot *s);
double std_without_divisor(const mutant_call *c, const mutant_spot *s);
double divisor_unclamped(const mutant_call *c, const mutant_spot *s);
double divisor_wraps(const mutant_call *c, const mutant_spot *s);
double single_cell_is_zero(const mutant_call *c, const mutant_spot *s);
double second_negated(const mutant_call *c, const mutant_spot *s);
double second_from_zero(const mutant_call *c, const mutant_spot *s);
double second_for_both(const mutant_call *c, const mutant_spot *s);
double mul_own(const mutant_call *c, const mutant_spot *s);
double div_carefully(const mutant_call *c, const mutant_spot *s);
double pair_loser_too(const mutant_call *c, const mutant_spot *s);
double pair_tie_to_a(const mutant_call *c, const mutant_spot *s);
double pair_tie_to_both(const mutant_call *c, const mutant_spot *s);
double pair_tie_by_bits(const mutant_call *c, const mutant_spot *s);
double pair_nan_to_none(const mutant_call *c, const mutant_spot *s);
double pair_nan_to_number(const mutant_call *c, const mutant_spot *s);
double pow_by_division(const mutant_call *c, const mutant_spot *s);
double pow_zero_guarded(const mutant_call *c, const mutant_spot *s);
double pow_log_of_size(const mutant_call *c, const mutant_spot *s);
double zero_at_origin(const mutant_call *c, const mutant_spot *s);
double atan2_scaled(const mutant_call *c, const mutant_spot *s);
double hypot_squared(const mutant_call *c, const mutant_spot *s);
double hypot_overflows(const mutant_call *c, const mutant_spot *s);
double lerp_weight_unrounded(const mutant_call *c, const mutant_spot *s);
double lerp_weight_clamped(const mutant_call *c, const mutant_spot *s);
double log_softmax_y_spreads(const mutant_call *c, const mutant_spot *s);

/* mutant_lines.c */
void refold(const mutant_call *c, int64_t line);
void rescan(const mutant_call *c, int64_t line);
void rewin(const mutant_call *c, int64_t line);

/* mutant_lcse.c */
void lcse_recurrence(const mutant_call *c, int64_t line);
void lcse_direct(const mutant_call *c, int64_t line);
void lcse_infinity_spreads(const mutant_call *c, int64_t line);
void lcse_infinity_is_zero(const mutant_call *c, int64_t line);

/* mutant_memory.c */
void reverse_ignored(mutant_call *c);
void correction_fixed(mutant_call *c);
void correction_not_negative(mutant_call *c);
void axis_turned_in_high_rank(mutant_call *c);
void policy_mistaken(mutant_call *c);
void outputs_cleared_first(mutant_call *c);
void strides_ignored(mutant_call *c);
void last_read_past_end(mutant_call *c);
cot_status ignored_save_checked(const mutant_call *c, cot_error *error);
int row_tail_skipped(const mutant_call *c, cot_operand out, int64_t index);
int everything_skipped(const mutant_call *c, cot_operand out, int64_t index);
void past_end_written(mutant_call *c);
void before_start_written(mutant_call *c);
void gaps_written(mutant_call *c);
void input_written(mutant_call *c);
double workspace_read_first(const mutant_call *c, const mutant_spot *s);
void workspace_overrun(mutant_call *c);
cot_status workspace_demanded(const mutant_call *c, cot_error *error);
cot_status workspace_alignment_demanded(const mutant_call *c, cot_error *error);
cot_status strides_called_invalid(const mutant_call *c, cot_error *error);
cot_status alias_refused(const mutant_call *c, cot_error *error);
cot_status settles_late(mutant_self *self, cot_error *error);
cot_status empty_refused(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error);
cot_status empty_axis_refused(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error);
cot_status promise_wavers(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error);
cot_status memory_called_workspace(size_t bytes, void **memory, cot_error *error);

/* mutant_checks.c */
void fix_rank(mutant_plea *p);
void fix_element(mutant_plea *p);
void fix_axis(mutant_plea *p);
void fix_extents(mutant_plea *p);
void fix_op(mutant_plea *p);
void fix_policies(mutant_plea *p);
void fix_presence(mutant_plea *p);
void fix_view_elements(mutant_plea *p);
void fix_shapes(mutant_plea *p);
void fix_strides(mutant_plea *p);
void fix_lengths(mutant_plea *p);
void fix_alignment(mutant_plea *p);
void fix_self_overlap(mutant_plea *p);
void fix_overlap(mutant_plea *p);
void fix_inputs(mutant_plea *p);
void fix_before_op(mutant_plea *p);
cot_status rule_missed(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status checked_too_early(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status op_checked_first(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status size_called_unsupported(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status detail_swapped(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status operand_unnamed(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status empty_unchecked(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status refused_late(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);

/* mutant_forward.c */
cot_status forward_in_turn(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_nan_passed_over(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_first_zero(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_unclamped(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_without_shift(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_winner_lost(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_nothing_is_zero(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);
cot_status forward_nothing_has_extremum(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error);

#endif
