import type { TFunction } from 'i18next';
import type { FieldShape } from './settings-shape.ts';

/** The fault of a field's value as a sentence; null if it is valid. Fields with units validate their text themselves. */
export function faultOf(shape: FieldShape, value: unknown, t: TFunction): string | null {
  const initial = 'initial' in shape ? shape.initial : undefined;
  if (shape.kind === 'text') return !shape.isOptional && shape.isNeeded && !value ? t('value.required') : null;
  if (shape.kind !== 'number' || (value === undefined && initial !== undefined)) return null;
  if (value === null || value === undefined) return shape.isOptional ? null : t('value.required');
  if (typeof value !== 'number') return null;
  if (shape.isInteger && !Number.isInteger(value)) return t('value.integer');
  if (shape.min !== undefined && value < shape.min) return t('value.min', { min: shape.min });
  if (shape.max !== undefined && value > shape.max) return t('value.max', { max: shape.max });
  return null;
}
