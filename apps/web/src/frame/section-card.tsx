import { Group, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './section-card.module.css';

/** A titled part of a form or a page. */
export function SectionCard({
  title,
  text,
  action,
  fold,
  anchor,
  children,
}: {
  title: string;
  text?: string;
  action?: ReactNode;
  /** Given: the title opens and closes the part. Closed fields keep their values and are checked with the others. */
  fold?: { isOpen: boolean; onToggle: () => void };
  /** The fragment that addresses the part. */
  anchor?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`card ${classes.section}`} aria-labelledby={id} {...(anchor ? { id: anchor } : {})}>
      <Group justify="space-between" align="start" mb={fold && !fold.isOpen ? 0 : 'md'}>
        <div className={classes.title}>
          <Title order={2} id={id} size="h3">
            {fold ? (
              <button type="button" className={classes.fold} aria-expanded={fold.isOpen} onClick={fold.onToggle}>
                <IconChevronRight size={18} aria-hidden data-open={fold.isOpen || undefined} />
                {title}
              </button>
            ) : (
              title
            )}
          </Title>
          {text && (
            <Text c="dimmed" mt={2}>
              {text}
            </Text>
          )}
        </div>
        {action}
      </Group>
      <div hidden={fold !== undefined && !fold.isOpen}>{children}</div>
    </section>
  );
}
