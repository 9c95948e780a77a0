/* Decoding of bulk copies, of copies by a tensor map, and of what changes such a map. */
#include "kernel.h"
#include "softgpu/base/mem.h"
#include "softgpu/base/tensor_map.h"
#include <stddef.h>

static bool address_in(decoder *d, const operand *o, u8 space, resolved *a)
{
    match m = { .space = space, .has_space = space != SP_GENERIC };
    return resolve_address(d, o, &m, a);
}

/* [map, {x, y}] */
static bool tensor_operand(decoder *d, const operand *o, bulk *b)
{
    u32 rank = (u32)(strstr(d->at->opcode, "tensor.")[7] - '0');
    bool is_pair = o->kind == OP_VEC && o->n == 2;
    const operand *list = is_pair ? &o->u.elem[1] : o;
    u32 n = list->kind == OP_VEC ? list->n : 1u;
    if (!is_pair || n != rank) {
        decode_error(d, "'%s' needs a tensor map and %u coordinates", d->at->opcode, rank);
        return false;
    }
    b->rank = (u8)rank;
    for (u32 i = 0; i < rank; i++)
        b->coordinates[i] = source_slot(d, list->kind == OP_VEC ? &list->u.elem[i] : list, 'w');
    return address_in(d, &o->u.elem[0], SP_GENERIC, &b->map);
}

static bool copy_operands(decoder *d, u32 op, bulk *b)
{
    const operand *ops = d->at->ops;
    bool loads = op == BULK_LOAD || op == TENSOR_LOAD;
    int barrier = op == BULK_LOAD ? 3 : 2;
    u8 to = loads ? SP_SHARED : SP_GLOBAL, from = loads ? SP_GLOBAL : SP_SHARED;
    bool good = true;
    b->signals = loads;
    if (op == TENSOR_STORE)
        good = tensor_operand(d, &ops[0], b);
    else
        good = address_in(d, &ops[0], to, &b->to);
    if (op == TENSOR_LOAD)
        good = good && tensor_operand(d, &ops[1], b);
    else
        good = good && address_in(d, &ops[1], from, &b->from);
    if (good && op != TENSOR_LOAD && op != TENSOR_STORE)
        b->size = source_slot(d, &ops[2], 'w');
    return good && (!loads || address_in(d, &ops[barrier], SP_SHARED, &b->barrier));
}

/* Where a field of a map is, and how many there are of it. */
static u32 field_at(u32 field, u32 *count)
{
    static const struct {
        u16 at;
        u8 count;
    } fields[MAP_FIELDS] = {
        [MAP_ADDRESS] = { offsetof(tensor_map, address), 1 },
        [MAP_STRIDE] = { offsetof(tensor_map, strides), TENSOR_RANK - 1 },
        [MAP_EXTENT] = { offsetof(tensor_map, extents), TENSOR_RANK },
        [MAP_STEP] = { offsetof(tensor_map, steps), TENSOR_RANK },
        [MAP_BOX] = { offsetof(tensor_map, box), TENSOR_RANK },
        [MAP_RANK] = { offsetof(tensor_map, rank), 1 },
        [MAP_ELEMENT] = { offsetof(tensor_map, element), 1 },
        [MAP_INTERLEAVE] = { offsetof(tensor_map, interleave), 1 },
        [MAP_SWIZZLE] = { offsetof(tensor_map, swizzle), 1 },
        [MAP_FILL] = { offsetof(tensor_map, fill), 1 },
    };
    *count = fields[field].count;
    return fields[field].at;
}

/* tensormap.replace is a store of the field. */
static void decode_replace(decoder *d, const match *m)
{
    const operand *ops = d->at->ops;
    u32 count, at = field_at(m->form->arg >> 8, &count), ordinal = 0;
    bool wide = strstr(d->at->opcode, "b1024.b64") != NULL;
    resolved a;
    if (count > 1) {
        if (ops[1].kind != OP_IMM || ops[1].imm >= count) {
            decode_error(d, "'%s': the dimension must be a number below %u", d->at->opcode, count);
            return;
        }
        ordinal = (u32)ops[1].imm;
    }
    u32 value = source_slot(d, &ops[d->at->nops - 1], wide ? 'l' : 'w');
    if (!resolve_address(d, &ops[0], m, &a))
        return;
    ins *i = emit(d, m);
    i->kind = K_ST;
    i->a = a.base;
    i->wide_address = a.wide;
    i->space = a.space;
    i->size = wide ? 8 : 4;
    i->n = 1;
    i->align = (u8)(i->size - 1);
    i->imm = a.offset + (s64)(at + ordinal * i->size);
    i->regs[0] = value;
    i->sizes = wide;
}

void decode_bulk(decoder *d, const match *m)
{
    u32 op = m->form->arg & 255;
    if (op == MAP_REPLACE) {
        decode_replace(d, m);
        return;
    }
    bulk *b = sg_alloc(&d->m->mem, sizeof *b);
    u32 pending = op == BULK_WAIT ? source_slot(d, &d->at->ops[0], 'w') : SLOT_ZERO;
    if (op != BULK_WAIT && op != BULK_COMMIT && !copy_operands(d, op, b))
        return;
    if (d->err->line)
        return;
    ins *i = emit(d, m);
    i->bulk = b;
    i->a = pending;
    i->size = i->n = 1;
    i->align = 15;
}
