import { Button, Group, Text } from '@mantine/core';
import type { ProofNote } from '@pdf2press/contract';
import { proofRoutes } from '@pdf2press/contract/calls';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { pathOf } from '../client/address.ts';
import { call, download, sendForm } from '../client/call.ts';
import { downloadMade } from '../client/made-file.ts';
import { invalidate, queryOf } from '../client/queries.ts';
import { useRequestKey } from '../client/request-key.ts';
import { notify } from '../frame/toasts.tsx';
import { attachFiles } from '../notes/attach-files.ts';
import { NoteList } from '../notes/note-list.tsx';
import { useNoteRows } from '../notes/use-note-rows.ts';
import { PrivateNotesOn, usePrivateNotes } from './private-notes.tsx';

/** What recipients wrote about a proof; whoever may answers them, ticks them off, and writes what only the house reads. */
export function SessionNotes({ params, isOpen }: { params: { id: string; proofId: string }; isOpen: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const { keyOf: requestKeyOf, forget } = useRequestKey();
  const interval = isOpen ? 15_000 : false;
  const rows = useNoteRows((query) => queryOf(proofRoutes.notes, { params, query }), { isAsked: true, interval });
  const isManager = may('proofs.comments.manage');
  const privateNotes = usePrivateNotes(params, { isAsked: isManager, interval });
  if (rows.total === 0 && !isManager) return null;
  const changed = () => invalidate(proofRoutes.notes);
  const acts = {
    answer: async (answersId: string, text: string, files: readonly File[]) => {
      const body = { text, answersId };
      const { id: noteId } = await call(proofRoutes.answerNote, { params, body: { ...body, key: requestKeyOf(body) } });
      try {
        await attachFiles(files, (form) => sendForm(proofRoutes.addNoteFile, form, { ...params, noteId }));
      } finally {
        await changed();
      }
      forget();
    },
    mark: ({ id, isToDo }: ProofNote) =>
      void call(proofRoutes.markNote, { params: { ...params, noteId: id }, body: { isToDo: !isToDo } }).then(
        changed,
        notify.failure,
      ),
    resolve: ({ id, resolvedAt }: ProofNote) =>
      void call(proofRoutes.resolveNote, {
        params: { ...params, noteId: id },
        body: { isResolved: resolvedAt === null },
      }).then(changed, notify.failure),
  };
  return (
    <>
      {rows.total > 0 && (
        <section aria-label={t('notes.title')}>
          <Text component="h4" fw={600} size="sm">
            {t('notes.title')}
          </Text>
          <SaveNotes params={params} />
          <NoteList
            rows={rows}
            chosen={null}
            fileAddress={(noteId, fileId) => pathOf(proofRoutes.noteFile, { ...params, noteId, fileId })}
            {...(isManager && { ...acts, aside: (note) => <PrivateNotesOn notes={privateNotes} note={note} /> })}
          />
        </section>
      )}
      {isManager && (
        <section aria-label={t('notes.private')}>
          <Text component="h4" fw={600} size="sm">
            {t('notes.private')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('notes.privateHelp')}
          </Text>
          <PrivateNotesOn notes={privateNotes} note={null} />
        </section>
      )}
    </>
  );
}

/** The notes outside of the app: as annotations of the proved file, and as a table. */
function SaveNotes({ params }: { params: { id: string; proofId: string } }) {
  const { t } = useTranslation();
  const copy = useMutation({
    mutationFn: () => downloadMade(() => call(proofRoutes.notesCopy, { params })),
    onError: notify.failure,
  });
  const table = useMutation({
    mutationFn: () => download(pathOf(proofRoutes.notesTable, params)),
    onError: notify.failure,
  });
  return (
    <Group gap="xs" my="xs">
      {(['copy', 'table'] as const).map((kind) => {
        const load = { copy, table }[kind];
        return (
          <Button
            key={kind}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            loading={load.isPending}
            onClick={() => load.mutate()}
          >
            {t(`notes.save.${kind}`)}
          </Button>
        );
      })}
    </Group>
  );
}
