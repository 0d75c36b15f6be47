import type { z } from 'zod';
import type { EffectContract } from './effect.ts';
import * as effects from './effect-table.ts';

export type EffectKind = keyof typeof effects;
export type PayloadOf<Kind extends EffectKind> = z.output<(typeof effects)[Kind]['payload']>;

// The mapped type makes it a compile error to list a contract under another kind's name.
export const effectContracts: { readonly [Kind in EffectKind]: EffectContract<Kind, PayloadOf<Kind>> } = effects;

export const isEffectKind = (kind: string): kind is EffectKind => Object.hasOwn(effectContracts, kind);
