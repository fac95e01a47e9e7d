//go:build arm64 && !purego

#include "textflag.h"

// The kernel of second.go for NEON. A row of weights is one unit's, 64 bytes. Four units whose
// values are those of the position before are skipped. The multiplications by one element
// stand as numbers: see whole_arm64.s.

// func secondSumsNEON(sums *int32, h, w *int16, last *SecondState, n, count int)
TEXT ·secondSumsNEON(SB), NOSPLIT, $0-48
	MOVD sums+0(FP), R0
	MOVD h+8(FP), R1
	MOVD w+16(FP), R2
	MOVD last+24(FP), R9
	MOVD n+32(FP), R3
	MOVD count+40(FP), R4
	MOVD R9, R10
	VLD1.P 64(R10), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R10), [V20.S4, V21.S4, V22.S4, V23.S4]
	ADD  $384, R9, R8 // the values before

position:
	MOVD R2, R5
	MOVD R3, R6

four:
	VLD1.P 8(R1), [V0.H4]
	VLD1.P 8(R8), [V1.H4]
	VSUB   V1.H4, V0.H4, V0.H4
	VMOV   V0.D[0], R7
	CBZ    R7, skip
	VLD1.P 64(R5), [V4.H8, V5.H8, V6.H8, V7.H8]
	WORD   $0x0f402090 // SMLAL V0.H[0], V4.H4, V16.S4
	WORD   $0x4f402091 // SMLAL2 V0.H[0], V4.H8, V17.S4
	WORD   $0x0f4020b2 // SMLAL V0.H[0], V5.H4, V18.S4
	WORD   $0x4f4020b3 // SMLAL2 V0.H[0], V5.H8, V19.S4
	WORD   $0x0f4020d4 // SMLAL V0.H[0], V6.H4, V20.S4
	WORD   $0x4f4020d5 // SMLAL2 V0.H[0], V6.H8, V21.S4
	WORD   $0x0f4020f6 // SMLAL V0.H[0], V7.H4, V22.S4
	WORD   $0x4f4020f7 // SMLAL2 V0.H[0], V7.H8, V23.S4
	VLD1.P 64(R5), [V4.H8, V5.H8, V6.H8, V7.H8]
	WORD   $0x0f502090 // SMLAL V0.H[1], V4.H4, V16.S4
	WORD   $0x4f502091 // SMLAL2 V0.H[1], V4.H8, V17.S4
	WORD   $0x0f5020b2 // SMLAL V0.H[1], V5.H4, V18.S4
	WORD   $0x4f5020b3 // SMLAL2 V0.H[1], V5.H8, V19.S4
	WORD   $0x0f5020d4 // SMLAL V0.H[1], V6.H4, V20.S4
	WORD   $0x4f5020d5 // SMLAL2 V0.H[1], V6.H8, V21.S4
	WORD   $0x0f5020f6 // SMLAL V0.H[1], V7.H4, V22.S4
	WORD   $0x4f5020f7 // SMLAL2 V0.H[1], V7.H8, V23.S4
	VLD1.P 64(R5), [V4.H8, V5.H8, V6.H8, V7.H8]
	WORD   $0x0f602090 // SMLAL V0.H[2], V4.H4, V16.S4
	WORD   $0x4f602091 // SMLAL2 V0.H[2], V4.H8, V17.S4
	WORD   $0x0f6020b2 // SMLAL V0.H[2], V5.H4, V18.S4
	WORD   $0x4f6020b3 // SMLAL2 V0.H[2], V5.H8, V19.S4
	WORD   $0x0f6020d4 // SMLAL V0.H[2], V6.H4, V20.S4
	WORD   $0x4f6020d5 // SMLAL2 V0.H[2], V6.H8, V21.S4
	WORD   $0x0f6020f6 // SMLAL V0.H[2], V7.H4, V22.S4
	WORD   $0x4f6020f7 // SMLAL2 V0.H[2], V7.H8, V23.S4
	VLD1.P 64(R5), [V4.H8, V5.H8, V6.H8, V7.H8]
	WORD   $0x0f702090 // SMLAL V0.H[3], V4.H4, V16.S4
	WORD   $0x4f702091 // SMLAL2 V0.H[3], V4.H8, V17.S4
	WORD   $0x0f7020b2 // SMLAL V0.H[3], V5.H4, V18.S4
	WORD   $0x4f7020b3 // SMLAL2 V0.H[3], V5.H8, V19.S4
	WORD   $0x0f7020d4 // SMLAL V0.H[3], V6.H4, V20.S4
	WORD   $0x4f7020d5 // SMLAL2 V0.H[3], V6.H8, V21.S4
	WORD   $0x0f7020f6 // SMLAL V0.H[3], V7.H4, V22.S4
	WORD   $0x4f7020f7 // SMLAL2 V0.H[3], V7.H8, V23.S4
	SUB    $4, R6, R6
	CBNZ   R6, four
	JMP    done

skip:
	ADD  $256, R5, R5
	SUB  $4, R6, R6
	CBNZ R6, four

done:
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R0)
	SUB    R3<<1, R1, R8
	SUB    $1, R4, R4
	CBNZ   R4, position
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R9)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R9)
	RET
