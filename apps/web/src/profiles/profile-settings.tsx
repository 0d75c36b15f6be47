import { type FieldShape, SettingsFields, type SettingsWords } from '@pdf2press/ui';
import type { UseFormReturn } from 'react-hook-form';
import { useUnit } from '../preferences/use-unit.ts';
import { controlOf, type ProfileValues } from './use-profile-form.ts';

interface Props {
  form: UseFormReturn<ProfileValues>;
  /** Of all settings of the profile, or of some. */
  shape: FieldShape;
  words: SettingsWords;
  isReadOnly: boolean;
}

/** The fields of a profile's settings, with lengths in the reader's unit. */
export function ProfileSettings({ form, shape, words, isReadOnly }: Props) {
  const [unit, setUnit] = useUnit();
  return (
    <SettingsFields
      shape={shape}
      name="settings"
      control={controlOf(form)}
      words={words}
      unit={unit}
      onUnitChange={setUnit}
      isReadOnly={isReadOnly}
    />
  );
}
