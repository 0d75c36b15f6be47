import { Text } from '@mantine/core';
import type { ProofNote } from '@pdf2press/contract';
import { proofRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { keyOf, queries, useCall } from '../client/queries.ts';
import { useRequestKey } from '../client/request-key.ts';
import { notify } from '../frame/toasts.tsx';
import { NoteList } from '../notes/note-list.tsx';

/** What recipients wrote about a proof; whoever may answers them and ticks them off. */
export function SessionNotes({ params, isOpen }: { params: { id: string; proofId: string }; isOpen: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const { keyOf: requestKeyOf, forget } = useRequestKey();
  const { data = [] } = useCall(proofRoutes.notes, { params }, { refetchInterval: isOpen ? 15_000 : false });
  if (data.length === 0) return null;
  const show = (notes: ProofNote[]) => queries.setQueryData(keyOf(proofRoutes.notes, { params }), notes);
  const acts = {
    answer: async ({ id }: ProofNote, text: string) => {
      const body = { text, answersId: id };
      show(await call(proofRoutes.answerNote, { params, body: { ...body, key: requestKeyOf(body) } }));
      forget();
    },
    resolve: ({ id, resolvedAt }: ProofNote) =>
      void call(proofRoutes.resolveNote, {
        params: { ...params, noteId: id },
        body: { isResolved: resolvedAt === null },
      }).then(show, notify.failure),
  };
  return (
    <section aria-label={t('notes.title')}>
      <Text component="h4" fw={600} size="sm">
        {t('notes.title')}
      </Text>
      <NoteList notes={data} chosen={null} {...(may('proofs.comments.manage') && acts)} />
    </section>
  );
}
