import { Autocomplete } from '@mantine/core';
import { toPoints } from '@pdf2press/contract';
import { namedSheets } from '@pdf2press/impose/contracts';
import { useEffect } from 'react';
import { type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { controlOf, type ProfileValues } from '../profiles/use-profile-form.ts';

interface Props {
  form: UseFormReturn<ProfileValues>;
  label: string;
  isReadOnly: boolean;
}

/** Tolerance in points for sizes converted from another unit. */
const tolerance = 0.5;

const isSize = (sheet: readonly [number, number], size: readonly unknown[]): boolean =>
  sheet.every((length, at) => Math.abs(toPoints(length, 'Millimeters') - Number(size[at])) < tolerance);

/**
 * The name of the sheet. Choosing a known name sets width and height; entering the size of a known sheet sets its name,
 * any other size clears it. A custom name is kept.
 */
export function SheetName({ form, label, isReadOnly }: Props) {
  const control = controlOf(form);
  const { field } = useController({ control, name: 'settings.sheet.name' });
  const { t } = useTranslation();
  const name = (field.value as string | undefined) ?? '';
  const [width, height] = useWatch({ control, name: ['settings.sheet.width', 'settings.sheet.height'] });
  // Only a change of the size updates the name, so that typing a name is not disturbed.
  useEffect(() => {
    const called = (form.getValues('settings').sheet as { name?: string } | undefined)?.name;
    const known = namedSheets[called ?? ''];
    if (width === undefined || (called && !known) || (known && isSize(known, [width, height]))) return;
    const other = Object.entries(namedSheets).find(([, size]) => isSize(size, [width, height]));
    form.setValue('settings.sheet.name' as never, (other?.[0] ?? '') as never);
  }, [form, width, height]);
  const take = (text: string) => {
    field.onChange(text);
    const known = namedSheets[text];
    if (!known) return;
    const sheet = form.getValues('settings').sheet as Record<string, unknown>;
    const [wide, high] = known.map((length) => toPoints(length, 'Millimeters'));
    form.setValue('settings.sheet' as never, { ...sheet, name: text, width: wide, height: high } as never, {
      shouldDirty: true,
    });
  };
  return (
    <Autocomplete
      label={label}
      data={Object.keys(namedSheets)}
      // Offers all sheets while the field holds a chosen name.
      filter={({ options, search }) =>
        options.filter((option) =>
          Object.hasOwn(namedSheets, search)
            ? true
            : 'value' in option && option.value.toLowerCase().includes(search.trim().toLowerCase()),
        )
      }
      maxLength={100}
      placeholder={t('impose.ownSize')}
      disabled={isReadOnly}
      value={name}
      onBlur={field.onBlur}
      onChange={take}
    />
  );
}
