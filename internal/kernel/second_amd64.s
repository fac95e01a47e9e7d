//go:build amd64 && !purego

#include "textflag.h"

// The kernels of second.go. A row of weights holds two units, 128 bytes: for each of the
// 32 sums the weights of both, side by side. In a SecondState the sums lie at 0, the room for
// differences at 128, the values at 384. In a tail the scales lie at 0, the biases at
// 128, the weights of the outputs at 256 and their biases at 896.
//
// Units are compared in parts of 64 rows. What their values differ by goes to the room for
// differences, and a word has a bit for each row in which something does; their weights
// times the differences are added to the sums, which stay in registers.

// What the i-th 32 values of a part differ by goes to the room, and to CX a bit for each row
// in which something does.
#define COMPARE512(i) \
	VMOVDQU32 (64*i)(SI)(AX*1), Z4;   \
	VPSUBW (64*i)(R10)(AX*1), Z4, Z4; \
	VMOVDQU32 Z4, (64*i)(R11);        \
	VPTESTMD Z4, Z4, K1;              \
	KMOVW K1, R12;                    \
	SHLQ $(16*i), R12;                \
	ORQ R12, CX

// func secondSumsAVX512(sums *int32, h, w *int16, last *SecondState, n, count int)
TEXT ·secondSumsAVX512(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ h+8(FP), SI
	MOVQ last+24(FP), R13
	MOVQ n+32(FP), R9
	MOVQ count+40(FP), DX
	ADDQ R9, R9           // bytes of a position
	LEAQ 384(R13), R10    // the values before
	LEAQ 128(R13), R11    // by what a part differs
	VMOVDQU32 (R13), Z0
	VMOVDQU32 64(R13), Z1

position:
	MOVQ w+16(FP), R8
	XORQ AX, AX

part:
	XORQ CX, CX
	COMPARE512(0)
	COMPARE512(1)
	COMPARE512(2)
	COMPARE512(3)
	TESTQ CX, CX
	JZ    same

differs:
	TZCNTQ       CX, BX
	LEAQ         -1(CX), R12
	VPBROADCASTD (R11)(BX*4), Z5
	SHLQ         $7, BX
	VPMADDWD     (R8)(BX*1), Z5, Z6
	VPMADDWD     64(R8)(BX*1), Z5, Z7
	VPADDD       Z6, Z0, Z0
	VPADDD       Z7, Z1, Z1
	ANDQ         R12, CX
	JNZ          differs

same:
	ADDQ $8192, R8
	ADDQ $256, AX
	CMPQ AX, R9
	JNE  part
	VMOVDQU32 Z0, (DI)
	VMOVDQU32 Z1, 64(DI)
	ADDQ $128, DI
	MOVQ SI, R10
	ADDQ R9, SI
	DECQ DX
	JNZ  position
	VMOVDQU32 Z0, (R13)
	VMOVDQU32 Z1, 64(R13)
	VZEROUPPER
	RET

// The same of the i-th 16 values, with a bit for each row in which nothing differs.
#define COMPARE256(i) \
	VMOVDQU (32*i)(SI)(AX*1), Y4;     \
	VPSUBW (32*i)(R10)(AX*1), Y4, Y4; \
	VMOVDQU Y4, (32*i)(R11);          \
	VPCMPEQD Y15, Y4, Y4;             \
	VMOVMSKPS Y4, R12;                \
	SHLQ $(8*i), R12;                 \
	ORQ R12, CX

// func secondSumsAVX2(sums *int32, h, w *int16, last *SecondState, n, count int)
TEXT ·secondSumsAVX2(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ h+8(FP), SI
	MOVQ last+24(FP), R13
	MOVQ n+32(FP), R9
	MOVQ count+40(FP), DX
	ADDQ R9, R9           // bytes of a position
	LEAQ 384(R13), R10    // the values before
	LEAQ 128(R13), R11    // by what a part differs
	VPXOR Y15, Y15, Y15
	VMOVDQU 0(R13), Y0
	VMOVDQU 32(R13), Y1
	VMOVDQU 64(R13), Y2
	VMOVDQU 96(R13), Y3

position:
	MOVQ w+16(FP), R8
	XORQ AX, AX

part:
	XORQ CX, CX
	COMPARE256(0)
	COMPARE256(1)
	COMPARE256(2)
	COMPARE256(3)
	COMPARE256(4)
	COMPARE256(5)
	COMPARE256(6)
	COMPARE256(7)
	XORQ $-1, CX
	JZ   same

differs:
	TZCNTQ       CX, BX
	LEAQ         -1(CX), R12
	VPBROADCASTD (R11)(BX*4), Y5
	SHLQ         $7, BX
	VPMADDWD     0(R8)(BX*1), Y5, Y6
	VPMADDWD     32(R8)(BX*1), Y5, Y7
	VPMADDWD     64(R8)(BX*1), Y5, Y8
	VPMADDWD     96(R8)(BX*1), Y5, Y9
	VPADDD       Y6, Y0, Y0
	VPADDD       Y7, Y1, Y1
	VPADDD       Y8, Y2, Y2
	VPADDD       Y9, Y3, Y3
	ANDQ         R12, CX
	JNZ          differs

same:
	ADDQ $8192, R8
	ADDQ $256, AX
	CMPQ AX, R9
	JNE  part
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ $128, DI
	MOVQ SI, R10
	ADDQ R9, SI
	DECQ DX
	JNZ  position
	VMOVDQU Y0, 0(R13)
	VMOVDQU Y1, 32(R13)
	VMOVDQU Y2, 64(R13)
	VMOVDQU Y3, 96(R13)
	VZEROUPPER
	RET

DATA one<>+0(SB)/4, $0x3f800000
GLOBL one<>(SB), RODATA|NOPTR, $4

// The values of eight units of the second layer.
#define VALUES(i, Y) \
	VCVTDQ2PS (32*i)(SI), Y;   \
	VMULPS (32*i)(R8), Y, Y;   \
	VADDPS (128+32*i)(R8), Y, Y; \
	VMAXPS Y15, Y, Y;          \
	VMINPS Y14, Y, Y;          \
	VMULPS Y, Y, Y

// The o-th output.
#define OUTPUT(o) \
	VMULPS (256+128*o)(R8), Y0, Y4;    \
	VMULPS (256+128*o+32)(R8), Y1, Y5; \
	VADDPS Y5, Y4, Y4;                 \
	VMULPS (256+128*o+64)(R8), Y2, Y5; \
	VADDPS Y5, Y4, Y4;                 \
	VMULPS (256+128*o+96)(R8), Y3, Y5; \
	VADDPS Y5, Y4, Y4;                 \
	VEXTRACTF128 $1, Y4, X5;           \
	VADDPS X5, X4, X4;                 \
	VPSHUFD $0x4e, X4, X5;             \
	VADDPS X5, X4, X4;                 \
	VPSHUFD $0xb1, X4, X5;             \
	VADDSS X5, X4, X4;                 \
	VADDSS (896+4*o)(R8), X4, X4;      \
	VMOVSS X4, (4*o)(DI)

// func logitsAVX2(x *float32, sums *int32, t *tail, count int)
TEXT ·logitsAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ sums+8(FP), SI
	MOVQ t+16(FP), R8
	MOVQ count+24(FP), DX
	VXORPS Y15, Y15, Y15
	VBROADCASTSS one<>(SB), Y14

position:
	VALUES(0, Y0)
	VALUES(1, Y1)
	VALUES(2, Y2)
	VALUES(3, Y3)
	OUTPUT(0)
	OUTPUT(1)
	OUTPUT(2)
	OUTPUT(3)
	OUTPUT(4)
	ADDQ $128, SI
	ADDQ $20, DI
	DECQ DX
	JNZ  position
	VZEROUPPER
	RET
