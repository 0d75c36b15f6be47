import type { ClientFinding, PageDecision, ShownProof } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { formatTime } from '../language/formats.ts';
import type { ProofLink } from './use-client-proof.ts';

/** What the reader is about to do. */
export type Asked = 'approve' | 'decline' | 'file' | null;

/** What the forms of a decision are given. */
export interface DecisionProps {
  link: ProofLink;
  proof: ShownProof;
  form: NonNullable<ShownProof['form']>;
  findings: readonly ClientFinding[];
  /** How many pages the reader has looked at. */
  seen: number;
  /** What was answered to each page; null where it is decided on the file as a whole. */
  pages: readonly PageDecision[] | null;
  onClose: () => void;
  /** A corrected file was sent. */
  onSent: () => void;
  /** The proof is another by now, or somebody else decided it. */
  onOutdated: (error: unknown) => void;
}

/** What was decided, by whom and when; in the words of the button where it had its own. */
export function doneTold({ decision, label, by: name, at }: NonNullable<ShownProof['decided']>, t: TFunction): string {
  const time = formatTime(at);
  return label ? t('clientProof.doneAs', { label, name, time }) : t(`clientProof.done.${decision}`, { name, time });
}
