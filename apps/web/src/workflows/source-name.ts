import { nearestLocale } from '@pdf2press/contract';
import { type SourceContract, sourceContracts } from '@pdf2press/sources/contracts';
import i18next from 'i18next';

const kinds: Readonly<Record<string, SourceContract>> = sourceContracts;

/** A way in by its kind and its place, for instance `Hot folder orders/in`. */
export function sourceName({ kind, settings }: { kind: string; settings: Readonly<Record<string, unknown>> }): string {
  const contract = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  const places = (contract?.placeSettings ?? []).flatMap((name) => {
    const value = settings[name];
    return typeof value === 'string' ? [value] : [];
  });
  return [contract?.messages[nearestLocale(i18next.language)].label ?? kind, ...places].join(' ');
}
