import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconFocusCentered, IconMessagePlus, IconRuler2, IconZoomInArea } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../frame/hint.tsx';
import { LateMenu } from '../frame/late-menu.tsx';
import type { Shortcut } from '../frame/shortcuts.ts';
import { formatPoints } from '../language/formats.ts';
import { type Preferences, setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useUnit } from '../preferences/use-unit.ts';
import type { Opening } from './openings.ts';
import type { Size, Spot, View } from './page-geometry.ts';
import { PagePicture } from './page-picture.tsx';
import { type Rotation, rotatedPlace, rotatedSize, rotatedSpot, unrotated } from './page-rotation.ts';
import type { InkView, PageSource } from './page-source.ts';
import classes from './viewer.module.css';

/** What the pointer does on the page besides moving it. */
export type Tool = 'note' | 'measure' | 'loupe' | null;

/** A line that was drawn to measure with, in shares of the opening. */
export interface Line {
  from: Spot;
  to: Spot;
}

const marks = ['all', 'chosen', 'none'] as const satisfies readonly Preferences['marks'][];

/** Turns the marks on the page off and on; kept on this device. */
const toggleMarks = (): void => {
  setPreferences({
    marks: usePreferences.getState().marks === 'none' ? 'all' : 'none',
  });
};

/** The findings of a page that are marked on it, as the person chose. */
export function useMarked<F extends { id: string }>(findings: readonly F[], chosen: string | null): readonly F[] {
  const which = usePreferences((preferences) => preferences.marks);
  return which === 'all' ? findings : which === 'none' ? [] : findings.filter(({ id }) => id === chosen);
}

/** Which findings are marked on the page: all, the chosen one, none. */
export function MarksMenu() {
  const { t } = useTranslation();
  const shown = usePreferences((preferences) => preferences.marks);
  return (
    <LateMenu
      button={(opener) => (
        <Button
          variant={shown === 'none' ? 'default' : 'light'}
          size="xs"
          title={t('viewer.marks')}
          leftSection={<IconFocusCentered size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          {...opener}
        >
          <span className={classes.menuWord}>{t('viewer.marks')}</span>
        </Button>
      )}
      entries={() => [
        {
          choices: marks.map((value) => ({ value, label: t(`viewer.marks.${value}`) })),
          chosen: shown,
          choose: (value) => setPreferences({ marks: value as Preferences['marks'] }),
        },
      ]}
    />
  );
}

const toolIcons = { note: IconMessagePlus, measure: IconRuler2, loupe: IconZoomInArea } as const;

/** The buttons of the tools; that of notes only where some may be written. */
export function ToolButtons({
  tool,
  onTool,
  hasNotes,
}: {
  tool: Tool;
  onTool: (tool: Tool) => void;
  hasNotes: boolean;
}) {
  const { t } = useTranslation();
  const keys = (Object.keys(toolIcons) as (keyof typeof toolIcons)[]).filter((key) => hasNotes || key !== 'note');
  return keys.map((key) => {
    const Icon = toolIcons[key];
    return (
      <Hint key={key} label={t(`keys.${key}`)}>
        <ActionIcon
          variant={tool === key ? 'light' : 'subtle'}
          {...(tool !== key && { color: 'neutral' })}
          aria-label={t(`keys.${key}`)}
          aria-pressed={tool === key}
          onClick={() => onTool(tool === key ? null : key)}
        >
          <Icon size={18} />
        </ActionIcon>
      </Hint>
    );
  });
}

/** The keys of tools and marks. */
export const toolKeys = (tool: Tool, onTool: (tool: Tool) => void, hasNotes: boolean): readonly Shortcut[] => [
  { keys: 'h', label: 'keys.hand', run: () => onTool(null) },
  ...(hasNotes ? [{ keys: 'n', label: 'keys.note', run: () => onTool(tool === 'note' ? null : 'note') }] : []),
  { keys: 'm', label: 'keys.marks', run: toggleMarks },
  {
    keys: 'd',
    label: 'keys.measure',
    run: () => onTool(tool === 'measure' ? null : 'measure'),
  },
  {
    keys: 'l',
    label: 'keys.loupe',
    run: () => onTool(tool === 'loupe' ? null : 'loupe'),
  },
];

/** The line that was drawn, over the page. */
export function MeasuredLine({ size: { width, height }, line: { from, to } }: { size: Size; line: Line }) {
  const ends = {
    x1: from.x * width,
    y1: from.y * height,
    x2: to.x * width,
    y2: to.y * height,
  };
  return (
    <svg className={classes.over} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <line className={classes.line} {...ends} />
      <line className={classes.line} {...ends} />
    </svg>
  );
}

/** The length of the line that was drawn, across and down as it is seen; before there is one, how to draw it. */
export function MeasuredLength({ size, rotation, line }: { size: Size; rotation: Rotation; line: Line | null }) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  if (!line) {
    return (
      <p className={classes.length} role="status">
        {t('viewer.measureHint')}
      </p>
    );
  }
  const sides = {
    width: Math.abs(line.to.x - line.from.x) * size.width,
    height: Math.abs(line.to.y - line.from.y) * size.height,
  };
  const { width: across, height: down } = rotatedSize(sides, rotation);
  return (
    <p className={classes.length} role="status">
      <b>{formatPoints(Math.hypot(across, down), unit)}</b> ({formatPoints(across, unit)} × {formatPoints(down, unit)})
    </p>
  );
}

/** Diameter of the loupe in CSS pixels, and how many times it enlarges what the stage shows. */
const [loupeSize, loupeFactor] = [200, 4];

interface LoupeProps {
  source: PageSource;
  opening: Opening;
  rotation: Rotation;
  view: View;
  /** Under the pointer. */
  spot: Spot;
  inks: InkView;
}

/** What is under the pointer, enlarged. */
export function Loupe({ source, opening, rotation, view, spot, inks }: LoupeProps) {
  const scale = view.scale * loupeFactor;
  const size = rotatedSize(opening.size, rotation);
  const at = rotatedSpot(spot, rotation);
  const middle = loupeSize / 2;
  const inside: View = {
    scale,
    x: middle - at.x * size.width * scale,
    y: middle - at.y * size.height * scale,
  };
  const pictures = unrotated(opening.size, inside, { width: loupeSize, height: loupeSize }, rotation);
  return (
    <div
      className={classes.loupe}
      style={{
        inlineSize: loupeSize,
        blockSize: loupeSize,
        left: view.x + at.x * size.width * view.scale - middle,
        top: view.y + at.y * size.height * view.scale - middle,
      }}
      aria-hidden
    >
      <div className={classes.page} data-table style={rotatedPlace(opening.size, inside, rotation)}>
        {opening.pages.map((placed) => (
          <PagePicture
            key={placed.page.page}
            source={source}
            placed={placed}
            view={pictures.view}
            stage={pictures.stage}
            inks={inks}
          />
        ))}
      </div>
    </div>
  );
}
