import type { VariableScope } from '@pdf2press/settings';
import { type ComponentType, createContext } from 'react';
import type { SettingsCommon } from './settings-words.ts';

/** What an editor of one value is given. */
export interface FieldEditorProps extends SettingsCommon {
  /** Path of the value in the form. */
  name: string;
  /** Path of its messages. */
  path: string;
  /** What the value is about, as its schema says in `of`. */
  of: string | null;
  initial: unknown;
  /** Why the value as a whole cannot be used. */
  fault: string | undefined;
}

export interface FieldSurroundings {
  /** Editors by the name that a schema gives in `editor`. A value whose editor is missing is left as it is. */
  editors: Readonly<Record<string, ComponentType<FieldEditorProps>>>;
  /** Offers the names that a text may use. */
  Placeholders?: ComponentType<{ scope: VariableScope; onPick: (placeholder: string) => void; disabled: boolean }>;
  /** What is wrong with the value at a path in the form, besides what the form itself finds. */
  faultOf(name: string): string | undefined;
}

/** What the generated fields need of whoever shows the form. */
export const FieldSurroundings = createContext<FieldSurroundings>({ editors: {}, faultOf: () => undefined });
