import { Chip, Group, Switch, Text } from '@mantine/core';
import {
  type FindingCounts,
  type FindingState,
  findingStates,
  isFinal,
  type Session,
  type SessionFinding,
  type Severity,
} from '@pdf2press/contract';
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FindingGroup } from './finding-group.tsx';
import { ReportMenu } from './report-menu.tsx';
import classes from './session.module.css';
import { severityLooks } from './status.tsx';
import { versionOf, versionsOf } from './step-files.ts';
import { stepTitle } from './step-title.ts';
import { type FindingList, useFindingCounts } from './use-findings.ts';

export const severities: readonly Severity[] = ['Fail', 'Warn', 'Info'];

/** What is listed: severities, and whether findings that were fixed are. */
export type Listed = readonly (Severity | 'fixed')[];
export const allListed: Listed = [...severities, 'fixed'];

/** The query of the findings that are listed. */
export const filterOf = (listed: Listed): { severity: Severity[]; state: FindingState[] } => ({
  severity: severities.filter((severity) => listed.includes(severity)),
  state: findingStates.filter((state) => state !== 'fixed' || listed.includes('fixed')),
});

interface Props {
  session: Session;
  /** Findings that are listed. */
  list: FindingList;
  chosen: SessionFinding | null;
  onChoose: (finding: SessionFinding) => void;
  shown: Listed;
  onShown: (shown: Listed) => void;
  /** The page that the viewer shows. */
  page: number;
  /** Findings that a fix clears offer it, where this is given. */
  onFix?: ((finding: SessionFinding) => void) | undefined;
}

/** Above this number the rules of a session stand closed at first, so that all of them can be seen. */
const mostOpen = 25;

/** What the newest preflight found and what was fixed since an earlier one: a row for each rule, its places below it. */
export function FindingsPanel({ session, list, chosen, onChoose, shown, onShown, page, onFix }: Props) {
  const { t } = useTranslation();
  const counts = useFindingCounts(session.id);
  const [isThisPage, setThisPage] = useState(false);
  if (!counts) return null;
  if (counts.rules.length === 0) return <Nothing session={session} />;
  const { severity, state } = filterOf(shown);
  const isListed = (rule: FindingCounts['rules'][number]) =>
    severity.includes(rule.severity) &&
    state.includes(rule.state ?? 'left') &&
    (!isThisPage || rule.pages.includes(page));
  const rules = counts.rules.filter(isListed);
  const isFew = counts.rules.reduce((sum, rule) => sum + rule.findings, 0) <= mostOpen;
  return (
    <div>
      <Group align="center" mb="sm" gap="xs">
        <Chips counts={counts} shown={shown} onShown={onShown} />
        {session.pageCount !== 1 && (
          <Switch
            size="xs"
            label={t('findings.thisPage')}
            checked={isThisPage}
            onChange={({ currentTarget }) => setThisPage(currentTarget.checked)}
          />
        )}
        <div className={classes.report}>
          <ReportMenu session={session} />
        </div>
      </Group>
      <Unchecked session={session} newest={counts.newest} />
      {rules.length === 0 && <Text c="dimmed">{t('findings.noneListed')}</Text>}
      {rules.map((rule) => (
        <FindingGroup
          key={`${rule.rule} ${rule.severity} ${rule.state} ${isThisPage}`}
          session={session}
          rule={rule}
          list={list}
          onPage={isThisPage ? page : null}
          chosen={chosen}
          onChoose={onChoose}
          onFix={onFix}
          isOpenAtFirst={isFew || isThisPage}
        />
      ))}
    </div>
  );
}

/** Switches for what was found; nothing for severities without findings. */
function Chips({ counts, shown, onShown }: { counts: FindingCounts } & Pick<Props, 'shown' | 'onShown'>) {
  const { t } = useTranslation();
  return (
    <Chip.Group
      multiple
      value={[...shown]}
      onChange={(value) => onShown(allListed.filter((each) => value.includes(each)))}
    >
      <Group gap={6}>
        {severities
          .filter((severity) => counts.rules.some((rule) => rule.severity === severity))
          .map((severity) => (
            <Chip key={severity} color={severityLooks[severity].tone} value={severity} size="xs" variant="light">
              {t(`severity.count.${severity}`, { count: counts.severities[severity] })}
            </Chip>
          ))}
        {counts.fixed !== null && counts.fixed > 0 && (
          <Chip color="success" value="fixed" size="xs" variant="light">
            {t('findings.fixed', { count: counts.fixed })}
          </Chip>
        )}
      </Group>
    </Chip.Group>
  );
}

/** Says which steps changed the file after it was checked last. */
function Unchecked({ session, newest }: { session: Session; newest: string | null }) {
  const { t } = useTranslation();
  const versions = versionsOf(session);
  const checked = newest && versionOf(session, { stepRunId: newest });
  const after = versions.slice(versions.findIndex(({ version }) => version === checked) + 1);
  const steps = after.flatMap(({ step }) => (step ? [stepTitle(step, t)] : []));
  if (!checked || steps.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('findings.before', { count: steps.length, steps: steps.join(', ') })}
    </Text>
  );
}

function Nothing({ session }: { session: Session }) {
  const { t } = useTranslation();
  const isChecked = session.steps.some((step) => step.checks.length > 0);
  const [Icon, text] = isChecked
    ? ([IconCircleCheck, 'session.noFindings'] as const)
    : ([IconHourglass, isFinal(session.status) ? 'session.notChecked' : 'session.checking'] as const);
  return (
    <div className={classes.nothing}>
      <Icon size={32} stroke={1.5} aria-hidden />
      <Text>{t(text)}</Text>
      <ReportMenu session={session} />
    </div>
  );
}
