import { pageRanges } from '@pdf2press/contract';
import { IconChevronDown, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import classes from './finding-group.module.css';
import { FindingMark } from './finding-mark.tsx';
import { type CountedRule, FindingRows, type FindingRowsProps, isOfRule } from './finding-rows.tsx';
import shared from './session.module.css';
import { StatusIcon, severityLooks } from './status.tsx';

interface Props extends FindingRowsProps {
  isOpenAtFirst: boolean;
}

/** A rule with the pages where it is broken; opened, its findings. */
export function FindingGroup({ session, rule, list, onPage, chosen, onChoose, onFix, isOpenAtFirst }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isChosenHere = chosen !== null && isOfRule(rule, chosen);
  // The keys for the next and the previous finding may lead into a closed group.
  useEffect(() => {
    if (isChosenHere) setOpen(true);
  }, [isChosenHere, chosen?.id]);
  const where =
    rule.pages.length === 0
      ? t('session.wholeFile')
      : t('findings.onPages', { pages: pageRanges(rule.pages), count: rule.pages.length });
  return (
    <section className={shared.findingGroup} aria-label={rule.label}>
      <button type="button" className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <RuleIcon rule={rule} />
        <span>
          {rule.label}
          <small>
            {where} · {t('findings.places', { count: rule.places, shown: formatNumber(rule.places) })}
          </small>
        </span>
        <FindingMark state={rule.state} />
        <IconChevronDown size={16} className={shared.chevron} data-open={isOpen || undefined} aria-hidden />
      </button>
      {isOpen && <FindingRows {...{ session, rule, list, onPage, chosen, onChoose, onFix }} />}
    </section>
  );
}

function RuleIcon({ rule }: { rule: CountedRule }) {
  const { t } = useTranslation();
  return (
    <>
      <StatusIcon
        look={rule.state === 'fixed' ? { tone: 'success', icon: IconCircleCheck } : severityLooks[rule.severity]}
        size={18}
      />
      <span className="visually-hidden">{t(`severity.${rule.severity}`)}: </span>
    </>
  );
}
