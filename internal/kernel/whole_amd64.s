//go:build amd64 && !purego

#include "textflag.h"

// The kernels of whole.go. A Change holds the rows that go at 0 and those that come at
// 256, as 32-bit offsets, the pairs at 512 and the three counts at 896, 904 and 912; it
// is 920 bytes long. The arguments of hidden lie in a hiddenArgs: 0 sparse weights,
// 8 dense weights, 16 sparse sums, 24 dense sums, 32 changes, 40 their number, 48 one,
// 56 gain, 64 h, 72 bytes of h a position, 80 and 88 bytes of a block's sparse and dense
// weights, 96 blocks, 104 shift.

// Adds or subtracts a sparse row at AX to the sums of 128 units.
#define SPARSE512(OP) \
	OP 0(R8)(AX*1), Z16, Z16;   \
	OP 64(R8)(AX*1), Z17, Z17;  \
	OP 128(R8)(AX*1), Z18, Z18; \
	OP 192(R8)(AX*1), Z19, Z19

// The values of the i-th 32 units, whose dense sums are in A and B, sparse ones in S.
#define UNITS512(i, A, B, S) \
	VPSRAD X27, A, Z26;           \
	VPSRAD X27, B, Z25;           \
	VPACKSSDW Z25, Z26, Z26;      \
	VPADDSW Z26, S, Z26;          \
	VPMAXSW Z24, Z26, Z26;        \
	VPMINSW (i*64)(R9), Z26, Z26; \
	VPMULLW (i*64)(R10), Z26, Z26; \
	VPMULHRSW Z26, Z26, Z26;      \
	VMOVDQU32 Z26, (i*64)(R15)

// func hiddenVNNI(a *hiddenArgs)
TEXT ·hiddenVNNI(SB), NOSPLIT, $16-8
	MOVQ   a+0(FP), DI
	MOVQ   0(DI), R8
	MOVQ   8(DI), R12
	MOVQ   16(DI), SI
	MOVQ   24(DI), R14
	MOVQ   48(DI), R9
	MOVQ   56(DI), R10
	MOVQ   64(DI), R11
	MOVQ   96(DI), DX
	VMOVQ  104(DI), X27
	VPXORD Z24, Z24, Z24

block:
	VMOVDQU32 0(R14), Z0
	VMOVDQU32 64(R14), Z1
	VMOVDQU32 128(R14), Z2
	VMOVDQU32 192(R14), Z3
	VMOVDQU32 256(R14), Z4
	VMOVDQU32 320(R14), Z5
	VMOVDQU32 384(R14), Z6
	VMOVDQU32 448(R14), Z7
	VMOVDQU32 0(SI), Z16
	VMOVDQU32 64(SI), Z17
	VMOVDQU32 128(SI), Z18
	VMOVDQU32 192(SI), Z19
	MOVQ R11, R15
	MOVQ 32(DI), R13
	MOVQ 40(DI), BX

position:
	MOVQ  896(R13), CX
	MOVQ  R13, BP
	TESTQ CX, CX
	JZ    come

gone:
	MOVL (BP), AX
	SPARSE512(VPSUBW)
	ADDQ $4, BP
	DECQ CX
	JNZ  gone

come:
	MOVQ  904(R13), CX
	LEAQ  256(R13), BP
	TESTQ CX, CX
	JZ    dense

came:
	MOVL (BP), AX
	SPARSE512(VPADDW)
	ADDQ $4, BP
	DECQ CX
	JNZ  came

dense:
	MOVQ  912(R13), CX
	LEAQ  512(R13), BP
	TESTQ CX, CX
	JZ    units

pair:
	MOVL (BP), AX
	VPBROADCASTD 4(BP), Z26
	VPDPWSSD 0(R12)(AX*1), Z26, Z0
	VPDPWSSD 64(R12)(AX*1), Z26, Z1
	VPDPWSSD 128(R12)(AX*1), Z26, Z2
	VPDPWSSD 192(R12)(AX*1), Z26, Z3
	VPDPWSSD 256(R12)(AX*1), Z26, Z4
	VPDPWSSD 320(R12)(AX*1), Z26, Z5
	VPDPWSSD 384(R12)(AX*1), Z26, Z6
	VPDPWSSD 448(R12)(AX*1), Z26, Z7
	ADDQ $8, BP
	DECQ CX
	JNZ  pair

units:
	UNITS512(0, Z0, Z1, Z16)
	UNITS512(1, Z2, Z3, Z17)
	UNITS512(2, Z4, Z5, Z18)
	UNITS512(3, Z6, Z7, Z19)
	ADDQ 72(DI), R15
	ADDQ $920, R13
	DECQ BX
	JNZ  position

	VMOVDQU32 Z0, 0(R14)
	VMOVDQU32 Z1, 64(R14)
	VMOVDQU32 Z2, 128(R14)
	VMOVDQU32 Z3, 192(R14)
	VMOVDQU32 Z4, 256(R14)
	VMOVDQU32 Z5, 320(R14)
	VMOVDQU32 Z6, 384(R14)
	VMOVDQU32 Z7, 448(R14)
	VMOVDQU32 Z16, 0(SI)
	VMOVDQU32 Z17, 64(SI)
	VMOVDQU32 Z18, 128(SI)
	VMOVDQU32 Z19, 192(SI)
	ADDQ $512, R14
	ADDQ $256, SI
	ADDQ $256, R9
	ADDQ $256, R10
	ADDQ $256, R11
	ADDQ 80(DI), R8
	ADDQ 88(DI), R12
	DECQ DX
	JNZ  block
	VZEROUPPER
	RET

// As above for 64 units, with AVX2 registers.
#define SPARSE256(OP) \
	OP 0(R8)(AX*1), Y8, Y8;    \
	OP 32(R8)(AX*1), Y9, Y9;   \
	OP 64(R8)(AX*1), Y10, Y10; \
	OP 96(R8)(AX*1), Y11, Y11

#define PAIRS256(i, S, T) \
	VPMADDWD (i*32)(R12)(AX*1), Y12, T; \
	VPADDD T, S, S

#define UNITS256(i, A, B, S) \
	VPSRAD X15, A, Y13;            \
	VPSRAD X15, B, Y14;            \
	VPACKSSDW Y14, Y13, Y13;       \
	VPADDSW Y13, S, Y13;           \
	VPXOR Y14, Y14, Y14;           \
	VPMAXSW Y14, Y13, Y13;         \
	VPMINSW (i*32)(R9), Y13, Y13;  \
	VPMULLW (i*32)(R10), Y13, Y13; \
	VPMULHRSW Y13, Y13, Y13;       \
	VMOVDQU Y13, (i*32)(R15)

// func hiddenAVX2(a *hiddenArgs)
TEXT ·hiddenAVX2(SB), NOSPLIT, $16-8
	MOVQ  a+0(FP), DI
	MOVQ  0(DI), R8
	MOVQ  8(DI), R12
	MOVQ  16(DI), SI
	MOVQ  24(DI), R14
	MOVQ  48(DI), R9
	MOVQ  56(DI), R10
	MOVQ  64(DI), R11
	MOVQ  96(DI), DX
	VMOVQ 104(DI), X15

block:
	VMOVDQU 0(R14), Y0
	VMOVDQU 32(R14), Y1
	VMOVDQU 64(R14), Y2
	VMOVDQU 96(R14), Y3
	VMOVDQU 128(R14), Y4
	VMOVDQU 160(R14), Y5
	VMOVDQU 192(R14), Y6
	VMOVDQU 224(R14), Y7
	VMOVDQU 0(SI), Y8
	VMOVDQU 32(SI), Y9
	VMOVDQU 64(SI), Y10
	VMOVDQU 96(SI), Y11
	MOVQ R11, R15
	MOVQ 32(DI), R13
	MOVQ 40(DI), BX

position:
	MOVQ  896(R13), CX
	MOVQ  R13, BP
	TESTQ CX, CX
	JZ    come

gone:
	MOVL (BP), AX
	SPARSE256(VPSUBW)
	ADDQ $4, BP
	DECQ CX
	JNZ  gone

come:
	MOVQ  904(R13), CX
	LEAQ  256(R13), BP
	TESTQ CX, CX
	JZ    dense

came:
	MOVL (BP), AX
	SPARSE256(VPADDW)
	ADDQ $4, BP
	DECQ CX
	JNZ  came

dense:
	MOVQ  912(R13), CX
	LEAQ  512(R13), BP
	TESTQ CX, CX
	JZ    units

pair:
	MOVL (BP), AX
	VPBROADCASTD 4(BP), Y12
	PAIRS256(0, Y0, Y13)
	PAIRS256(1, Y1, Y14)
	PAIRS256(2, Y2, Y13)
	PAIRS256(3, Y3, Y14)
	PAIRS256(4, Y4, Y13)
	PAIRS256(5, Y5, Y14)
	PAIRS256(6, Y6, Y13)
	PAIRS256(7, Y7, Y14)
	ADDQ $8, BP
	DECQ CX
	JNZ  pair

units:
	UNITS256(0, Y0, Y2, Y8)
	UNITS256(1, Y1, Y3, Y9)
	UNITS256(2, Y4, Y6, Y10)
	UNITS256(3, Y5, Y7, Y11)
	ADDQ 72(DI), R15
	ADDQ $920, R13
	DECQ BX
	JNZ  position

	VMOVDQU Y0, 0(R14)
	VMOVDQU Y1, 32(R14)
	VMOVDQU Y2, 64(R14)
	VMOVDQU Y3, 96(R14)
	VMOVDQU Y4, 128(R14)
	VMOVDQU Y5, 160(R14)
	VMOVDQU Y6, 192(R14)
	VMOVDQU Y7, 224(R14)
	VMOVDQU Y8, 0(SI)
	VMOVDQU Y9, 32(SI)
	VMOVDQU Y10, 64(SI)
	VMOVDQU Y11, 96(SI)
	ADDQ $256, R14
	ADDQ $128, SI
	ADDQ $128, R9
	ADDQ $128, R10
	ADDQ $128, R11
	ADDQ 80(DI), R8
	ADDQ 88(DI), R12
	DECQ DX
	JNZ  block
	VZEROUPPER
	RET

// Adds the eight halves of Y up and stores the sum; T is spoilt.
#define STORESUM(i, Y, X, T) \
	VEXTRACTI128 $1, Y, T;  \
	VPADDD T, X, X;         \
	VPSHUFD $0x4e, X, T;    \
	VPADDD T, X, X;         \
	VPSHUFD $0xb1, X, T;    \
	VPADDD T, X, X;         \
	VMOVD X, (4*i)(DI)

// func dots5VNNI(out *int32, h, w *int16, n, count int)
TEXT ·dots5VNNI(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ h+8(FP), SI
	MOVQ w+16(FP), R8
	MOVQ n+24(FP), R9
	MOVQ count+32(FP), DX
	ADDQ R9, R9             // bytes of a row
	LEAQ (R9)(R9*2), R10    // of three
	LEAQ (R8)(R9*4), R11    // the fifth row

position:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	XORQ AX, AX

part:
	VMOVDQU32 (SI)(AX*1), Z10
	VMOVDQU32 64(SI)(AX*1), Z11
	LEAQ      (R8)(AX*1), BX
	LEAQ      (R11)(AX*1), CX
	VPDPWSSD  (BX), Z10, Z0
	VPDPWSSD  (BX)(R9*1), Z10, Z1
	VPDPWSSD  (BX)(R9*2), Z10, Z2
	VPDPWSSD  (BX)(R10*1), Z10, Z3
	VPDPWSSD  (CX), Z10, Z4
	VPDPWSSD  64(BX), Z11, Z5
	VPDPWSSD  64(BX)(R9*1), Z11, Z6
	VPDPWSSD  64(BX)(R9*2), Z11, Z7
	VPDPWSSD  64(BX)(R10*1), Z11, Z8
	VPDPWSSD  64(CX), Z11, Z9
	ADDQ      $128, AX
	CMPQ      AX, R9
	JNE       part
	VPADDD Z5, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y5
	VPADDD Y5, Y0, Y0
	VPADDD Z6, Z1, Z1
	VEXTRACTI64X4 $1, Z1, Y6
	VPADDD Y6, Y1, Y1
	VPADDD Z7, Z2, Z2
	VEXTRACTI64X4 $1, Z2, Y7
	VPADDD Y7, Y2, Y2
	VPADDD Z8, Z3, Z3
	VEXTRACTI64X4 $1, Z3, Y8
	VPADDD Y8, Y3, Y3
	VPADDD Z9, Z4, Z4
	VEXTRACTI64X4 $1, Z4, Y9
	VPADDD Y9, Y4, Y4
	STORESUM(0, Y0, X0, X11)
	STORESUM(1, Y1, X1, X11)
	STORESUM(2, Y2, X2, X11)
	STORESUM(3, Y3, X3, X11)
	STORESUM(4, Y4, X4, X11)
	ADDQ R9, SI
	ADDQ $20, DI
	DECQ DX
	JNZ  position
	VZEROUPPER
	RET

// func dots5AVX2(out *int32, h, w *int16, n, count int)
TEXT ·dots5AVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ h+8(FP), SI
	MOVQ w+16(FP), R8
	MOVQ n+24(FP), R9
	MOVQ count+32(FP), DX
	ADDQ R9, R9
	LEAQ (R9)(R9*2), R10
	LEAQ (R8)(R9*4), R11

position:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	XORQ AX, AX

part:
	VMOVDQU  (SI)(AX*1), Y10
	LEAQ     (R8)(AX*1), BX
	VPMADDWD (BX), Y10, Y5
	VPMADDWD (BX)(R9*1), Y10, Y6
	VPMADDWD (BX)(R9*2), Y10, Y7
	VPMADDWD (BX)(R10*1), Y10, Y8
	VPMADDWD (R11)(AX*1), Y10, Y9
	VPADDD   Y5, Y0, Y0
	VPADDD   Y6, Y1, Y1
	VPADDD   Y7, Y2, Y2
	VPADDD   Y8, Y3, Y3
	VPADDD   Y9, Y4, Y4
	ADDQ     $32, AX
	CMPQ     AX, R9
	JNE      part
	STORESUM(0, Y0, X0, X11)
	STORESUM(1, Y1, X1, X11)
	STORESUM(2, Y2, X2, X11)
	STORESUM(3, Y3, X3, X11)
	STORESUM(4, Y4, X4, X11)
	ADDQ R9, SI
	ADDQ $20, DI
	DECQ DX
	JNZ  position
	VZEROUPPER
	RET

DATA sigmoid<>+0(SB)/4, $0x42200000 // limit
DATA sigmoid<>+4(SB)/4, $0x3fb8aa3b // log2e
DATA sigmoid<>+8(SB)/4, $0x4b400000 // round
DATA sigmoid<>+12(SB)/4, $0x3f318000 // ln2Hi
DATA sigmoid<>+16(SB)/4, $0xb95e8083 // ln2Lo
DATA sigmoid<>+20(SB)/4, $0x3ab60b61 // c6
DATA sigmoid<>+24(SB)/4, $0x3c088889 // c5
DATA sigmoid<>+28(SB)/4, $0x3d2aaaab // c4
DATA sigmoid<>+32(SB)/4, $0x3e2aaaab // c3
DATA sigmoid<>+36(SB)/4, $0x3f000000 // c2
DATA sigmoid<>+40(SB)/4, $0x3f800000 // one
DATA sigmoid<>+44(SB)/4, $127
GLOBL sigmoid<>(SB), RODATA|NOPTR, $48

// What the sigmoids count with.
#define SIGMOIDCONSTANTS \
	VBROADCASTSS sigmoid<>+0(SB), Y15; \
	VBROADCASTSS sigmoid<>+4(SB), Y14; \
	VBROADCASTSS sigmoid<>+8(SB), Y13; \
	VBROADCASTSS sigmoid<>+12(SB), Y12; \
	VBROADCASTSS sigmoid<>+16(SB), Y11; \
	VBROADCASTSS sigmoid<>+40(SB), Y10; \
	VPBROADCASTD sigmoid<>+44(SB), Y9; \
	VPXOR        Y8, Y8, Y8; \
	VSUBPS       Y15, Y8, Y7

// Y2 becomes the sigmoids of Y0, by the operations of Sigmoid in its order; nothing is
// fused. y is in Y0, n in Y1, then r in Y0, e^r in Y2.
#define SIGMOID8 \
	VMAXPS       Y7, Y0, Y0; \
	VMINPS       Y15, Y0, Y0; \
	VSUBPS       Y0, Y8, Y0; \
	VMULPS       Y14, Y0, Y1; \
	VADDPS       Y13, Y1, Y1; \
	VSUBPS       Y13, Y1, Y1; \
	VMULPS       Y12, Y1, Y2; \
	VSUBPS       Y2, Y0, Y0; \
	VMULPS       Y11, Y1, Y2; \
	VSUBPS       Y2, Y0, Y0; \
	VBROADCASTSS sigmoid<>+20(SB), Y2; \
	VMULPS       Y2, Y0, Y2; \
	VBROADCASTSS sigmoid<>+24(SB), Y3; \
	VADDPS       Y3, Y2, Y2; \
	VMULPS       Y2, Y0, Y2; \
	VBROADCASTSS sigmoid<>+28(SB), Y3; \
	VADDPS       Y3, Y2, Y2; \
	VMULPS       Y2, Y0, Y2; \
	VBROADCASTSS sigmoid<>+32(SB), Y3; \
	VADDPS       Y3, Y2, Y2; \
	VMULPS       Y2, Y0, Y2; \
	VBROADCASTSS sigmoid<>+36(SB), Y3; \
	VADDPS       Y3, Y2, Y2; \
	VMULPS       Y2, Y0, Y2; \
	VADDPS       Y10, Y2, Y2; \
	VMULPS       Y2, Y0, Y2; \
	VADDPS       Y10, Y2, Y2; \
	VCVTTPS2DQ   Y1, Y1; \
	VPADDD       Y9, Y1, Y1; \
	VPSLLD       $23, Y1, Y1; \
	VMULPS       Y1, Y2, Y2; \
	VADDPS       Y10, Y2, Y2; \
	VDIVPS       Y2, Y10, Y2

// func sigmoidsAVX2(x *float32, sums *int32, scale, bias *float32, n int)
TEXT ·sigmoidsAVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ sums+8(FP), SI
	MOVQ scale+16(FP), R8
	MOVQ bias+24(FP), R9
	MOVQ n+32(FP), CX
	SIGMOIDCONSTANTS

eight:
	VCVTDQ2PS (SI), Y0
	VMULPS    (R8), Y0, Y0
	VADDPS    (R9), Y0, Y0
	SIGMOID8
	VMOVUPS   Y2, (DI)
	ADDQ      $32, DI
	ADDQ      $32, SI
	ADDQ      $32, R8
	ADDQ      $32, R9
	SUBQ      $8, CX
	JNZ       eight
	VZEROUPPER
	RET

// func logisticAVX2(x *float32, n int)
TEXT ·logisticAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	SIGMOIDCONSTANTS

eight:
	VMOVUPS (DI), Y0
	SIGMOID8
	VMOVUPS Y2, (DI)
	ADDQ    $32, DI
	SUBQ    $8, CX
	JNZ     eight
	VZEROUPPER
	RET

DATA count8<>+0(SB)/4, $0
DATA count8<>+4(SB)/4, $1
DATA count8<>+8(SB)/4, $2
DATA count8<>+12(SB)/4, $3
DATA count8<>+16(SB)/4, $4
DATA count8<>+20(SB)/4, $5
DATA count8<>+24(SB)/4, $6
DATA count8<>+28(SB)/4, $7
GLOBL count8<>(SB), RODATA|NOPTR, $32
DATA mix16<>+0(SB)/4, $0
DATA mix16<>+4(SB)/4, $16
DATA mix16<>+8(SB)/4, $1
DATA mix16<>+12(SB)/4, $17
DATA mix16<>+16(SB)/4, $2
DATA mix16<>+20(SB)/4, $18
DATA mix16<>+24(SB)/4, $3
DATA mix16<>+28(SB)/4, $19
DATA mix16<>+32(SB)/4, $4
DATA mix16<>+36(SB)/4, $20
DATA mix16<>+40(SB)/4, $5
DATA mix16<>+44(SB)/4, $21
DATA mix16<>+48(SB)/4, $6
DATA mix16<>+52(SB)/4, $22
DATA mix16<>+56(SB)/4, $7
DATA mix16<>+60(SB)/4, $23
GLOBL mix16<>(SB), RODATA|NOPTR, $64

// func diffPairsAVX512(last *int16, cur *float32, pairs *Pair, steps float32, rowBytes uint32) int
//
// Sixteen inputs at a time, that is eight pairs: rounded, compared with the last ones,
// and those that differ compressed, offsets and differences, and mixed.
TEXT ·diffPairsAVX512(SB), NOSPLIT, $0-40
	MOVQ         last+0(FP), DI
	MOVQ         cur+8(FP), SI
	MOVQ         pairs+16(FP), R8
	MOVQ         R8, R11
	VBROADCASTSS steps+24(FP), Z10
	MOVL         rowBytes+28(FP), AX
	VMOVD        AX, X14
	VPBROADCASTD X14, Y14
	VPMULLD      count8<>(SB), Y14, Y12
	VPSLLD       $3, Y14, Y14
	VMOVDQU32    mix16<>(SB), Z13
	MOVL         $5, CX

sixteen:
	VMULPS        (SI), Z10, Z1
	VCVTPS2DQ     Z1, Z1
	VPMOVDW       Z1, Y1
	VMOVDQU       (DI), Y2
	VMOVDQU       Y1, (DI)
	VPCMPD        $4, Y2, Y1, K2
	VPSUBW        Y2, Y1, Y3
	VPCOMPRESSD.Z Y12, K2, Y4
	VPCOMPRESSD.Z Y3, K2, Y5
	VPERMT2D      Z5, Z13, Z4
	KMOVW         K2, AX
	POPCNTL       AX, AX
	VMOVDQU32     Z4, (R8)
	LEAQ          (R8)(AX*8), R8
	VPADDD        Y14, Y12, Y12
	ADDQ          $64, SI
	ADDQ          $32, DI
	DECL          CX
	JNZ           sixteen
	SUBQ          R11, R8
	SHRQ          $3, R8
	MOVQ          R8, ret+32(FP)
	VZEROUPPER
	RET

// func diffMaskAVX2(last, diff *int16, cur *float32, steps float32) uint64
//
// The steps of cur go to last, their differences from it to diff; bit i of the result
// is set where pair i differs.
TEXT ·diffMaskAVX2(SB), NOSPLIT, $0-40
	MOVQ         last+0(FP), DI
	MOVQ         diff+8(FP), R8
	MOVQ         cur+16(FP), SI
	VBROADCASTSS steps+24(FP), Y10
	XORQ         R9, R9
	XORL         CX, CX

sixteen:
	VMULPS    (SI), Y10, Y0
	VMULPS    32(SI), Y10, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VMOVDQU   (DI), Y2
	VMOVDQU   Y0, (DI)
	VPSUBW    Y2, Y0, Y3
	VMOVDQU   Y3, (R8)
	VPCMPEQD  Y2, Y0, Y3
	VMOVMSKPS Y3, AX
	XORL      $0xff, AX
	SHLQ      CX, AX
	ORQ       AX, R9
	ADDQ      $64, SI
	ADDQ      $32, DI
	ADDQ      $32, R8
	ADDL      $8, CX
	CMPL      CX, $40
	JNE       sixteen
	MOVQ      R9, ret+32(FP)
	VZEROUPPER
	RET
