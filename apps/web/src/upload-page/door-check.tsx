import { Button, Checkbox, FileButton, Loader } from '@mantine/core';
import type { FileCheck } from '@pdf2press/contract';
import { uploadPageRoutes as routes } from '@pdf2press/contract/calls';
import { IconReplace } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '../client/address.ts';
import { Mending } from '../mending/mending.tsx';
import { type Look, levelLooks, StatusIcon, severityLooks } from '../sessions/status.tsx';
import { toArea } from '../viewer/page-geometry.ts';
import classes from './door-check.module.css';
import type { DoorCheckOf } from './use-checks.ts';
import { useVisit } from './visit.ts';

interface Props {
  name: string;
  door: DoorCheckOf;
  /** What a file may be replaced by, for the browser's picker. */
  accept: string;
  onReplace: (file: File) => void;
}

/** What was found in an uploaded file, and what can be done about it before it is sent. */
export function DoorCheck({ name, door, accept, onReplace }: Props) {
  const { t } = useTranslation();
  const { check, stops } = door;
  if (check.state === 'none') return null;
  return (
    <div className={classes.door}>
      <Verdict check={check} stops={stops} />
      {check.findings.length > 0 && <Findings name={name} check={check} />}
      {stops && (
        <div className={classes.ways}>
          <FileButton onChange={(file) => file && onReplace(file)} accept={accept} resetRef={null}>
            {(props) => (
              <Button
                {...props}
                size="sm"
                variant="light"
                leftSection={<IconReplace size={16} aria-hidden />}
                aria-label={t('uploadPage.replace', { name })}
              >
                {t('uploadPage.replaceFile')}
              </Button>
            )}
          </FileButton>
          {stops === 'unless acknowledged' && (
            <Checkbox
              label={t('uploadPage.acknowledge')}
              aria-label={t('uploadPage.acknowledgeFile', { name })}
              checked={door.isAcknowledged}
              onChange={(event) => door.acknowledge(event.currentTarget.checked)}
            />
          )}
        </div>
      )}
    </div>
  );
}

const Line = ({ look, children }: { look: Look; children: ReactNode }) => (
  <p className={classes.verdict} role="status">
    <StatusIcon look={look} size={18} />
    <span>{children}</span>
  </p>
);

function Verdict({ check, stops }: { check: FileCheck; stops: DoorCheckOf['stops'] }) {
  const { t } = useTranslation();
  const { state, level, fault } = check;
  if (state === 'running')
    return (
      <p className={classes.verdict} role="status">
        <Loader size={16} aria-hidden />
        <span>{t('uploadPage.check.running')}</span>
      </p>
    );
  if (state === 'late' || level === null) return <Line look={severityLooks.Info}>{t('uploadPage.check.late')}</Line>;
  if (level !== 'Error') return <Line look={levelLooks[level]}>{t(`uploadPage.check.${level}`)}</Line>;
  return (
    <Line look={levelLooks.Error}>
      {fault && `${fault.message} `}
      {t(stops === 'never' ? 'uploadPage.check.refused' : 'uploadPage.check.Error')}
    </Line>
  );
}

function Findings({ name, check }: { name: string; check: FileCheck }) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={classes.findings} aria-label={t('uploadPage.check.found', { name })}>
        {check.findings.map((finding) => (
          <li key={finding.id}>
            <StatusIcon look={severityLooks[finding.severity]} size={18} />
            <div className={classes.words}>
              <span>
                <strong>{t(`clientProof.severity.${finding.severity}`)}: </strong>
                {finding.message}
              </span>
              {finding.page !== null && (
                <small>
                  {finding.count > 1
                    ? t('uploadPage.check.places', { page: finding.page, count: finding.count })
                    : t('uploadPage.check.page', { page: finding.page })}
                </small>
              )}
              <Mending remedy={finding.remedy} />
            </div>
            <Picture check={check} finding={finding} />
          </li>
        ))}
      </ul>
      {check.more > 0 && <small className={classes.more}>{t('uploadPage.check.more', { count: check.more })}</small>}
    </>
  );
}

/** The page of a finding with its places marked; nothing where there is no picture of it. */
function Picture({ check, finding }: { check: FileCheck; finding: FileCheck['findings'][number] }) {
  const { t } = useTranslation();
  const label = useId();
  const visit = useVisit((visiting) => visiting.visit);
  const page = check.pages.find(({ number }) => number === finding.page);
  if (!page || !visit || finding.boxes.length === 0) return null;
  const placed = { boxes: page.effective, rotate: page.rotate };
  const share = (part: number) => `${part * 100}%`;
  return (
    <span className={classes.picture} role="img" aria-labelledby={label}>
      <img src={pathOf(routes.picture, { visit, id: check.id, page: page.number })} alt="" />
      {finding.boxes.map((box, at) => {
        const { x, y, width, height } = toArea(placed, box);
        return (
          <span
            key={at}
            className={classes.place}
            data-severity={finding.severity}
            style={{ left: share(x), top: share(y), width: share(width), height: share(height) }}
          />
        );
      })}
      <span id={label} hidden>
        {t('uploadPage.check.picture', { page: page.number })}
      </span>
    </span>
  );
}
