import { Button } from '@mantine/core';
import { IconArrowBackUp, IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { levelLooks, StatusIcon, severityLooks } from '../sessions/status.tsx';
import classes from './demo.module.css';
import { type SampleFinding, sampleFindings } from './sample.ts';
import { SamplePage } from './sample-page.tsx';

interface Props {
  isFixed: boolean;
  onFix: (isFixed: boolean) => void;
}

/** The page beside what was found on it; a press on a finding shows its place. */
export function DemoFindings({ isFixed, onFix }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<SampleFinding | null>(null);
  const isGone = (finding: SampleFinding) => isFixed && finding.isFixable;
  return (
    <div className={classes.beside}>
      <SamplePage isFixed={isFixed} chosen={chosen && !isGone(chosen) ? chosen : null} />
      <div className={classes.stop}>
        <ul className={classes.findings} aria-label={t('demo.findings')}>
          {sampleFindings.map((finding) => (
            <li key={finding.id}>
              <button
                type="button"
                className={classes.finding}
                aria-pressed={chosen === finding}
                onClick={() => setChosen(chosen === finding ? null : finding)}
              >
                <StatusIcon look={isGone(finding) ? levelLooks.Success : severityLooks[finding.severity]} size={18} />
                <span className="visually-hidden">
                  {isGone(finding) ? t('demo.fixed') : t(`severity.${finding.severity}`)}:
                </span>
                <span>{t(isGone(finding) ? `demo.finding.${finding.id}.fixed` : `demo.finding.${finding.id}`)}</span>
              </button>
            </li>
          ))}
        </ul>
        <div>
          {isFixed ? (
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => onFix(false)}
            >
              {t('demo.undo')}
            </Button>
          ) : (
            <Button leftSection={<IconTool size={16} aria-hidden />} onClick={() => onFix(true)}>
              {t('demo.fix')}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
