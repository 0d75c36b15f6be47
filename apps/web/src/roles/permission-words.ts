import type { Permission } from '@pdf2press/contract';

/** The part of the product that a permission is about; its message is `permission.area.<area>`. */
export const areaOf = (permission: Permission): string => permission.split('.')[0] ?? '';

/** The message that names a permission within its area. */
export const nameKey = (permission: Permission): string =>
  `permission.${permission.slice(areaOf(permission).length + 1)}`;
