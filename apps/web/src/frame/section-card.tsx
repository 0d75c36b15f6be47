import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section-card.module.css';

/** A titled part of a form or a page. */
export function SectionCard({
  title,
  text,
  action,
  children,
}: {
  title: string;
  text?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`card ${classes.section}`} aria-labelledby={id}>
      <Group justify="space-between" align="start" mb="md">
        <div className={classes.title}>
          <Title order={2} id={id} size="h3">
            {title}
          </Title>
          {text && (
            <Text c="dimmed" mt={2}>
              {text}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </section>
  );
}
