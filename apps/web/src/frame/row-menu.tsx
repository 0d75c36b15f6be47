import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

export interface RowAct {
  label: string;
  icon: ComponentType<{ size?: number }>;
  to?: string;
  act?: () => void;
  isDangerous?: boolean;
  /** Why it cannot be done now. */
  refusal?: string | null;
}

export function RowMenu({ name, acts }: { name: string; acts: readonly (RowAct | false)[] }) {
  const { t } = useTranslation();
  const there = acts.filter((act) => act !== false);
  if (there.length === 0) return null;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="neutral" aria-label={t('list.actionsOf', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {there.map(({ label, icon: Icon, to, act, isDangerous, refusal }) => {
          const shared = { leftSection: <Icon size={16} />, ...(isDangerous ? { color: 'error' } : {}) };
          return to ? (
            <Menu.Item {...shared} key={label} component={Link} to={to}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item
              {...shared}
              key={label}
              disabled={Boolean(refusal)}
              title={refusal ?? ''}
              onClick={() => act?.()}
            >
              {label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
