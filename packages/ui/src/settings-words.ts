import type { Unit } from '@pdf2press/contract';
import type { ReactNode } from 'react';
import type { Control, FieldValues } from 'react-hook-form';

/** Texts of the settings by their path: `colourGray.failBelow`; an option's path ends in its value. */
export interface SettingsWords {
  label: (path: string) => string;
  help: (path: string) => string | undefined;
  option: (path: string, value: string) => string;
  /** Shown after a label, for example that the value differs from the preset. */
  note?: (path: string) => ReactNode;
}

/** Props of every generated field. */
export interface SettingsCommon {
  control: Control<FieldValues>;
  words: SettingsWords;
  unit: Unit;
  onUnitChange: (unit: Unit) => void;
  isReadOnly?: boolean | undefined;
}

/** Common props of the inputs of one setting. */
export interface SharedProps {
  label: ReactNode;
  description: ReactNode;
  disabled: boolean;
  error: ReactNode;
}
