import { Badge, Button, NativeSelect, Tabs, Text, Title } from '@mantine/core';
import { locales } from '@pdf2press/contract';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLanguageChoice } from '../client-proof/use-reader-language.ts';
import { Brand } from '../frame/brand.tsx';
import { ThemeMenu } from '../frame/header.tsx';
import { useTitle } from '../frame/use-title.ts';
import { languageNames } from '../language/language.ts';
import classes from './demo.module.css';
import { DemoFiles } from './demo-files.tsx';
import { DemoFindings } from './demo-findings.tsx';
import { DemoProof } from './demo-proof.tsx';
import { sampleWorkflow } from './sample.ts';

/** Loaded when the tour comes to the workflow. */
const WorkflowCanvas = lazy(async () => ({
  default: (await import('../workflows/workflow-canvas.tsx')).WorkflowCanvas,
}));

const stops = ['files', 'findings', 'workflow', 'proof'] as const;
type Stop = (typeof stops)[number];

/** A tour on sample data for whoever has no account: nothing is asked of the server, and nothing is kept. */
export function DemoScreen() {
  const { t } = useTranslation();
  const [stop, setStop] = useState<Stop>('files');
  const [isFixed, setFixed] = useState(false);
  useTitle(t('demo.title'));
  const at = stops.indexOf(stop);
  const next = stops[at + 1];
  const before = stops[at - 1];
  return (
    <div className={classes.demo}>
      <header className={classes.head}>
        <span>
          <Brand /> <Badge variant="light">{t('title.demo')}</Badge>
        </span>
        <LanguageChoice />
        <ThemeMenu />
        <Button component={Link} to="/login" variant="default">
          {t('demo.signIn')}
        </Button>
      </header>
      <p className={classes.banner}>{t('demo.banner')}</p>
      <Title order={1} size="h2">
        {t('demo.title')}
      </Title>
      <Tabs value={stop} onChange={(value) => setStop(value as Stop)} keepMounted={false}>
        <Tabs.List>
          {stops.map((value, index) => (
            <Tabs.Tab key={value} value={value}>
              {index + 1}. {t(`demo.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {stops.map((value) => (
          <Tabs.Panel key={value} value={value} pt="md" className={classes.stop}>
            <Text maw={720}>{t(`demo.${value}.text`)}</Text>
            {value === 'files' && <DemoFiles onOpen={() => setStop('findings')} />}
            {value === 'findings' && <DemoFindings isFixed={isFixed} onFix={setFixed} />}
            {value === 'workflow' && (
              <div className={classes.canvas}>
                <Suspense>
                  <WorkflowCanvas definition={sampleWorkflow} />
                </Suspense>
              </div>
            )}
            {value === 'proof' && <DemoProof />}
          </Tabs.Panel>
        ))}
      </Tabs>
      <footer className={classes.foot}>
        <Button variant="default" disabled={!before} onClick={() => before && setStop(before)}>
          {t('demo.back')}
        </Button>
        {next ? (
          <Button onClick={() => setStop(next)}>{t('demo.next', { stop: t(`demo.${next}`) })}</Button>
        ) : (
          <Button onClick={() => setStop('files')}>{t('demo.again')}</Button>
        )}
      </footer>
    </div>
  );
}

function LanguageChoice() {
  const { t } = useTranslation();
  const [language, choose] = useLanguageChoice();
  return (
    <NativeSelect
      aria-label={t('frame.language')}
      data={locales.map((locale) => ({ value: locale, label: languageNames[locale] }))}
      value={language}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
