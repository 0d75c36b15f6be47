import { ActionIcon, Popover, Text } from '@mantine/core';
import { type Locale, nearestLocale } from '@pdf2press/contract';
import { IconHelp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Of the kind's contract; called when first asked for. */
  help: () => Promise<{ default: Readonly<Record<Locale, string>> }>;
  /** The kind's label. */
  name: string;
}

/** Help on a check, an action or a layout behind a question mark, loaded when first opened. */
export function KindHelp({ help, name }: Props) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['kind-help', name],
    queryFn: async () => (await help()).default,
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
            // Stops Escape here: the form would also react to it and close.
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
          {data?.[nearestLocale(i18n.language)] ?? '…'}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
