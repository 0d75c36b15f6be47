import type { Unit } from '@pdf2press/contract';
import type { ReactNode } from 'react';
import type { Control, FieldValues } from 'react-hook-form';

/** Words for the settings, by their path below the form's root: `colourGray.failBelow`; an option's path ends in its value. */
export interface SettingsWords {
  label: (path: string) => string;
  help: (path: string) => string | undefined;
  option: (path: string, value: string) => string;
  /** What stands behind a label: that the value differs from the preset, say. */
  note?: (path: string) => ReactNode;
}

/** What every generated field is given. */
export interface SettingsCommon {
  control: Control<FieldValues>;
  words: SettingsWords;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
  isReadOnly?: boolean | undefined;
}

/** What every input of one setting has in common. */
export interface SharedProps {
  label: ReactNode;
  description: ReactNode;
  disabled: boolean;
  error: ReactNode;
}
