import type { Unit } from '@pdf2press/contract';
import type { Program } from '@pdf2press/preflight/remedies';
import { create } from 'zustand';
import { type PersistStorage, persist } from 'zustand/middleware';
import { appTitle, defaultPrimary } from '../constants.ts';
import type { Hex } from '../theme/colours.ts';
import { preferenceKey, readKey, removeKey, writeKey } from './kept.ts';

/** The visitor’s own preferences, each in local storage under the key `pdf2press-<name>`. */
export interface Preferences {
  layout: 'vertical' | 'horizontal';
  theme: 'light' | 'dark' | 'system';
  skin: 'default' | 'bordered';
  primaryLight: Hex;
  primaryDark: Hex;
  /** Null: the browser's language. */
  language: string | null;
  navbarBlur: boolean;
  navigationCollapsed: boolean;
  contentWidth: 'boxed' | 'fluid';
  semiDarkNavigation: boolean;
  density: 'comfortable' | 'compact';
  /** Shortcuts of a single letter (WCAG 2.1.4). */
  letterKeys: boolean;
  /** Columns of the session list that are hidden. */
  hiddenColumns: readonly string[];
  pageSize: number;
  /** Whether the list of first steps was closed. */
  firstStepsClosed: boolean;
  /** Whether the workflow builder shows its mini map. */
  builderMap: boolean;
  /** Whether the wheel zooms the canvas; otherwise it pans, and zooms with Ctrl. */
  scrollZooms: boolean;
  /** Unit of lengths; null: the organization's. */
  unit: Unit | null;
  /** Which findings are marked on the page. */
  marks: 'all' | 'chosen' | 'none';
  /** Panels beside the page of a session: their widths in CSS pixels, and those that are closed. */
  panelWidths: { readonly steps: number; readonly details: number };
  closedPanels: readonly ('steps' | 'details')[];
  /** The program in which the reader of a proof mends files; null until it is chosen. */
  mendingProgram: Program | null;
}

export const defaultPreferences: Preferences = {
  layout: 'vertical',
  theme: 'light',
  skin: 'default',
  primaryLight: defaultPrimary,
  primaryDark: defaultPrimary,
  language: null,
  navbarBlur: true,
  navigationCollapsed: false,
  contentWidth: 'boxed',
  semiDarkNavigation: false,
  density: 'comfortable',
  letterKeys: true,
  hiddenColumns: ['id', 'externalId', 'pages', 'size', 'assignee'],
  pageSize: 25,
  firstStepsClosed: false,
  builderMap: true,
  scrollZooms: false,
  unit: null,
  marks: 'all',
  panelWidths: { steps: 248, details: 360 },
  closedPanels: [],
  mendingProgram: null,
};

/** One storage key for each preference, so that they can be read, set and cleared one by one. */
const storage: PersistStorage<Preferences> = {
  getItem: () => {
    const entries = Object.keys(defaultPreferences).flatMap((name) => {
      const text = readKey(preferenceKey(name));
      if (text === null) return [];
      try {
        return [[name, JSON.parse(text) as unknown]];
      } catch {
        // Not a value of ours: the default applies.
        return [];
      }
    });
    // Only some of the preferences may be stored; zustand merges them with the defaults.
    return { state: Object.fromEntries(entries) as unknown as Preferences, version: 0 };
  },
  setItem: (_, { state }) => {
    for (const name of Object.keys(defaultPreferences) as (keyof Preferences)[]) {
      const text = JSON.stringify(state[name]);
      if (text === JSON.stringify(defaultPreferences[name])) removeKey(preferenceKey(name));
      else writeKey(preferenceKey(name), text);
    }
  },
  removeItem: () => {
    for (const name of Object.keys(defaultPreferences)) removeKey(preferenceKey(name));
  },
};

export const usePreferences = create<Preferences>()(persist(() => defaultPreferences, { name: appTitle, storage }));

export const setPreferences = (change: Partial<Preferences>): void => {
  usePreferences.setState(change);
};
