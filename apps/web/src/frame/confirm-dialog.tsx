import { List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Question, useQuestion } from './confirm.ts';
import { DialogFoot } from './dialog-foot.tsx';

export function ConfirmDialog() {
  const { t } = useTranslation();
  const { question, answer } = useQuestion();
  return (
    <Modal
      opened={question !== null}
      onClose={() => answer(false)}
      title={question?.title}
      role="alertdialog"
      aria-label={question?.title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {question && <Answer key={question.title} question={question} answer={answer} />}
    </Modal>
  );
}

function Answer({ question, answer }: { question: Question; answer: (isSure: boolean) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const isOpen = question.typed === undefined || typed.trim() === question.typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isOpen) answer(true);
      }}
    >
      <Stack>
        <Text component="div">{question.text}</Text>
        {question.points && question.points.length > 0 && (
          <List size="sm" spacing={4}>
            {question.points.map((point) => (
              <List.Item key={point}>{point}</List.Item>
            ))}
          </List>
        )}
        {question.typed !== undefined && (
          <TextInput
            label={t('common.typeToConfirm', { text: question.typed })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <DialogFoot
          onClose={() => answer(false)}
          act={question.act}
          isDisabled={!isOpen}
          isDangerous={question.isDangerous ?? false}
          hasFocus
        />
      </Stack>
    </form>
  );
}
