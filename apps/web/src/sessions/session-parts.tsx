import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts.ts';
import { useRootMark } from '../frame/use-root-mark.ts';
import { FullScreenContext, useFillingScreen } from '../viewer/full-screen.ts';
import { PanelHandle, togglePanel, usePanels } from './panel-handle.tsx';
import panels from './panels.module.css';
import classes from './session.module.css';

interface Props {
  /** The part that is shown where there is no room for all. */
  part: string;
  onPart: (part: string) => void;
  rail: ReactNode;
  pages: ReactNode;
  side: ReactNode;
}

/** Window widths from which there is room for all three, and for the page with one of the others, CSS pixels. */
const [roomForAll, roomForTwo] = [1200, 768];

const useRoom = (width: number) =>
  useMediaQuery(`(min-width: ${width}px)`, undefined, {
    getInitialValueInEffect: false,
  });

/** Steps, page and findings side by side; or the page and one of the others; or a tab each, as the window has room. */
export function SessionParts(props: Props) {
  const { t } = useTranslation();
  const fullScreen = useFillingScreen();
  useRootMark('data-filled', fullScreen.isOn);
  const hasAll = useRoom(roomForAll);
  const hasTwo = useRoom(roomForTwo);
  useShortcuts('keys.viewer', [
    ...(fullScreen.isOn
      ? [
          {
            keys: 'Escape',
            label: 'viewer.leaveFullScreen',
            run: fullScreen.toggle,
          },
        ]
      : []),
    ...(hasTwo
      ? [
          {
            keys: ']',
            label: 'keys.closeDetails',
            run: () => togglePanel('details'),
          },
        ]
      : []),
  ]);
  const page = (
    <section className={`card ${classes.part}`} aria-label={t('session.pages')}>
      {props.pages}
    </section>
  );
  const shown = hasAll ? (
    <All {...props} page={page} />
  ) : hasTwo ? (
    <Two {...props} page={page} />
  ) : (
    <Tabbed {...props} />
  );
  return (
    <FullScreenContext value={fullScreen}>
      <div className={fullScreen.isOn ? panels.full : panels.inPlace}>{shown}</div>
    </FullScreenContext>
  );
}

const column = (width: number | null): string => (width === null ? '' : `${width}px`);

function All({ rail, side, page }: Props & { page: ReactNode }) {
  const { t } = useTranslation();
  const { steps, details } = usePanels();
  return (
    <div
      className={panels.columns}
      style={{
        gridTemplateColumns: `${column(steps)} auto minmax(0, 1fr) auto ${column(details)}`,
      }}
    >
      {steps !== null && (
        <section className={`card ${classes.part}`} aria-label={t('session.steps')}>
          {rail}
        </section>
      )}
      <PanelHandle panel="steps" name={t('session.steps')} width={steps} side="start" />
      {page}
      <PanelHandle panel="details" name={t('session.details')} width={details} side="end" />
      {details !== null && (
        <section className={`card ${classes.part}`} aria-label={t('session.details')}>
          {side}
        </section>
      )}
    </div>
  );
}

function Two({ part, onPart, rail, side, page }: Props & { page: ReactNode }) {
  const { t } = useTranslation();
  const { details } = usePanels();
  return (
    <div
      className={panels.columns}
      style={{
        gridTemplateColumns: `minmax(0, 1fr) auto ${details === null ? '' : `min(${details}px, 45%)`}`,
      }}
    >
      {page}
      <PanelHandle panel="details" name={t('session.details')} width={details} side="end" />
      {details !== null && (
        <section className={`card ${classes.part}`} aria-label={t('session.details')}>
          <Tabs
            value={part === 'steps' ? 'steps' : 'details'}
            onChange={(next) => onPart(next ?? 'details')}
            className={panels.half}
            keepMounted={false}
          >
            <Tabs.List grow>
              <Tabs.Tab value="details">{t('session.details')}</Tabs.Tab>
              <Tabs.Tab value="steps">{t('session.steps')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="details">{side}</Tabs.Panel>
            <Tabs.Panel value="steps">{rail}</Tabs.Panel>
          </Tabs>
        </section>
      )}
    </div>
  );
}

function Tabbed({ part, onPart, rail, pages, side }: Props) {
  const { t } = useTranslation();
  return (
    <Tabs value={part} onChange={(next) => onPart(next ?? 'page')} className={classes.tabs} keepMounted={false}>
      <Tabs.List grow>
        <Tabs.Tab value="steps">{t('session.steps')}</Tabs.Tab>
        <Tabs.Tab value="page">{t('session.pages')}</Tabs.Tab>
        <Tabs.Tab value="details">{t('session.details')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="steps" className={`card ${classes.part}`}>
        {rail}
      </Tabs.Panel>
      <Tabs.Panel value="page" className={`card ${classes.part} ${classes.tall}`}>
        {pages}
      </Tabs.Panel>
      <Tabs.Panel value="details" className={`card ${classes.part}`}>
        {side}
      </Tabs.Panel>
    </Tabs>
  );
}
