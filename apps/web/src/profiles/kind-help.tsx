import { ActionIcon, Popover, Text } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import { IconHelp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

type Family = 'check' | 'fix' | 'layout';

interface Props {
  family: Family;
  /** The kind's name on the wire. */
  kind: string;
  /** As the operator knows it. */
  name: string;
}

/** What a check, an action or a layout decides and what to mind, behind a question mark. Loaded when first asked for. */
export function KindHelp({ family, kind, name }: Props) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['kind-help'],
    queryFn: async () => {
      const { checkHelp, fixHelp, layoutHelp } = await import('@pdf2press/prepress/help');
      return { check: checkHelp, fix: fixHelp, layout: layoutHelp } as Record<
        Family,
        Readonly<Record<string, Readonly<Record<string, string>>>>
      >;
    },
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={360}
      position="bottom-end"
      shadow="md"
      withArrow
      trapFocus={false}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="neutral"
          aria-label={t('profiles.help', { name })}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            // Closes the help alone: the form hears Escape, too, and would be left.
            if (event.key !== 'Escape' || !isOpen) return;
            event.preventDefault();
            setOpen(false);
          }}
        >
          <IconHelp size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 32px)" bg="var(--p2p-raised)" bd="1px solid var(--p2p-hairline)">
        <Text fw={600} mb={4}>
          {name}
        </Text>
        <Text size="sm" role="status">
          {data?.[family][kind]?.[nearestLocale(i18n.language)] ?? '…'}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
