import { Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { dropFirstPage } from '../client/first-page.ts';
import type { Icon } from '../frame/place.ts';
import { useTitle } from '../frame/use-title.ts';
import classes from './client-proof.module.css';

interface PanelProps {
  icon: Icon;
  title: string;
  text: string;
  /** Whose proof it is, where that is known. */
  house?: string;
  children?: ReactNode;
}

/** What a link leads to where no proof is shown. */
export function Panel({ icon: Icon, title, text, house, children }: PanelProps) {
  useTitle(title, house);
  useEffect(dropFirstPage, []);
  return (
    <div className={classes.notice}>
      <Icon size={40} stroke={1.5} aria-hidden />
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text maw={460}>{text}</Text>
      {children}
    </div>
  );
}
