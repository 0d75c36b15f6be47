import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { BrandMark, BrandName } from '../frame/brand.tsx';
import { LanguageMenu, ThemeMenu } from '../frame/header.tsx';
import { useTitle } from '../frame/use-title.ts';
import classes from './account.module.css';

/** The card of the sign-in pages, with crop marks around it. */
export function AccountCard({
  title,
  text,
  children,
  foot,
}: {
  title: string;
  text?: string;
  children: ReactNode;
  foot?: ReactNode;
}) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.corner}>
        <LanguageMenu />
        <ThemeMenu />
      </div>
      <div className={classes.sheet}>
        <CropMarks />
        <Paper className={classes.card}>
          <Group gap={10} className={classes.brand}>
            <BrandMark size={30} />
            <BrandName />
          </Group>
          <Stack gap={4} mb="lg">
            <Title order={1}>{title}</Title>
            {text && <Text c="dimmed">{text}</Text>}
          </Stack>
          {children}
        </Paper>
      </div>
      {foot && <div className={classes.foot}>{foot}</div>}
    </div>
  );
}

/** Marks at the four corners, as around every trimmed page. */
function CropMarks() {
  return (
    <span aria-hidden className={classes.marks}>
      {['startTop', 'endTop', 'startBottom', 'endBottom'].map((corner) => (
        <i key={corner} className={classes[corner]} />
      ))}
    </span>
  );
}
