import { type ClientFinding, findingStates, pageRanges, type ShownProof } from '@pdf2press/contract';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import { Mending } from '../mending/mending.tsx';
import { FindingMark } from '../sessions/finding-mark.tsx';
import { FindingPicture } from '../sessions/finding-picture.tsx';
import { StatusIcon, severityLooks } from '../sessions/status.tsx';
import classes from './client-proof.module.css';
import { checkedVersion, type ProofLink, useClientPages } from './use-client-proof.ts';

interface Props {
  link: ProofLink;
  proof: ShownProof;
  findings: readonly ClientFinding[];
  chosen: string | null;
  onChoose: (finding: ClientFinding) => void;
}

/** What was noticed, and of a corrected file also what is not there any more. */
export function ProofFindings({ link, proof, findings, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const { pages, source } = useClientPages(link, checkedVersion(proof), [1]);
  const present = findings.filter(({ state }) => state !== 'fixed');
  const fixed = findings.filter(({ state }) => state === 'fixed');
  return (
    <>
      <Changed proof={proof} findings={findings} />
      {present.length === 0 && (
        <p className={classes.nothing}>
          {t(proof.verdict.isChecked ? 'clientProof.noFindings' : 'clientProof.unchecked')}
        </p>
      )}
      <ul className={classes.list}>
        {present.map((finding) => (
          <Finding key={finding.id} finding={finding} isChosen={finding.id === chosen} onChoose={onChoose}>
            <FindingPicture finding={finding} pages={pages} source={source} />
          </Finding>
        ))}
        {fixed.map((finding) => (
          <li key={finding.id} className={classes.fixed}>
            <StatusIcon look={{ tone: 'success', icon: IconCircleCheck }} size={20} />
            <Told finding={finding} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many findings are fixed, new and left since the version before; nothing in the first version. */
function Changed({ proof, findings }: Pick<Props, 'proof' | 'findings'>) {
  const { t } = useTranslation();
  if (!findings.some(({ state }) => state !== null)) return null;
  const numbers = [...findingStates]
    .reverse()
    .map((state) => t(`clientProof.changed.${state}`, { count: findings.filter((one) => one.state === state).length }));
  return (
    <p className={classes.lead}>
      {t('clientProof.since', { version: proof.version - 1, changes: numbers.join(', ') })}
    </p>
  );
}

function Finding({
  finding,
  isChosen,
  onChoose,
  children,
}: {
  finding: ClientFinding;
  isChosen: boolean;
  onChoose: Props['onChoose'];
  children: ReactNode;
}) {
  const item = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li>
      <button
        ref={item}
        type="button"
        className={classes.finding}
        aria-pressed={isChosen}
        onClick={() => onChoose(finding)}
      >
        <StatusIcon look={severityLooks[finding.severity]} size={20} />
        <Told finding={finding} />
        {children}
      </button>
      <Mending remedy={finding.remedy} />
    </li>
  );
}

/** Its sentence, beneath how bad it is, where it is, and what became of it since the version before. */
function Told({ finding: { severity, state, sentence, page, pages, count } }: { finding: ClientFinding }) {
  const { t } = useTranslation();
  const where =
    pages.length > 1
      ? t('session.onPages', { pages: pageRanges(pages) })
      : page === null
        ? t('session.wholeFile')
        : t('session.onPage', { page });
  return (
    <span>
      <small>
        <b>{t(`clientProof.severity.${severity}`)}</b> · {where}
        {count > 1 && ` · ×${formatNumber(count)}`} <FindingMark state={state} />
      </small>
      {sentence}
    </span>
  );
}
