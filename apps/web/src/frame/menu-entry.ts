import type { ComponentType, ReactNode } from 'react';

/** One entry of a menu. */
export type MenuEntry =
  | 'line'
  | { heading: ReactNode }
  | {
      choices: readonly { value: string; label: string; icon?: ComponentType<{ size?: number }>; lang?: string }[];
      chosen: string;
      choose: (value: string) => void;
    }
  | { label: string; isTicked: boolean; tick: (isTicked: boolean) => void; end?: ReactNode }
  | MenuAct;

export interface MenuAct {
  label: string;
  icon: ComponentType<{ size?: number }>;
  to?: string;
  /** The entry leads to the current page. */
  isLit?: boolean;
  act?: () => void;
  isDangerous?: boolean;
  /** Why the action is not possible now. */
  refusal?: string | null;
  end?: ReactNode;
}
