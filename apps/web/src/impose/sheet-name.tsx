import { Autocomplete } from '@mantine/core';
import { toPoints } from '@pdf2press/contract';
import { namedSheets } from '@pdf2press/prepress/contracts';
import { type Control, type FieldValues, type UseFormReturn, useController } from 'react-hook-form';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

interface Props {
  form: UseFormReturn<ProfileValues>;
  label: string;
  isReadOnly: boolean;
}

/** What the sheet is called; a name that is known brings its width and height along. */
export function SheetName({ form, label, isReadOnly }: Props) {
  const control = form.control as unknown as Control<FieldValues>;
  const { field } = useController({ control, name: 'settings.sheet.name' });
  const name = (field.value as string | undefined) ?? '';
  const take = (text: string) => {
    field.onChange(text);
    const known = namedSheets[text];
    if (!known) return;
    const sheet = form.getValues('settings').sheet as Record<string, unknown>;
    const [width, height] = known.map((length) => toPoints(length, 'Millimeters'));
    form.setValue('settings.sheet' as never, { ...sheet, name: text, width, height } as never, { shouldDirty: true });
  };
  return (
    <Autocomplete
      label={label}
      data={Object.keys(namedSheets)}
      // All sheets are offered while a chosen name stands in the field.
      filter={({ options, search }) =>
        options.filter((option) =>
          Object.hasOwn(namedSheets, search)
            ? true
            : 'value' in option && option.value.toLowerCase().includes(search.trim().toLowerCase()),
        )
      }
      maxLength={100}
      disabled={isReadOnly}
      value={name}
      onBlur={field.onBlur}
      onChange={take}
    />
  );
}
