import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Question, useQuestion } from './confirm.ts';

export function ConfirmDialog() {
  const { t } = useTranslation();
  const { question, answer } = useQuestion();
  return (
    <Modal
      opened={question !== null}
      onClose={() => answer(false)}
      title={question?.title}
      role="alertdialog"
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
        {question.typed !== undefined && (
          <TextInput
            label={t('common.typeToConfirm', { text: question.typed })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="end">
          <Button variant="default" onClick={() => answer(false)}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" data-autofocus color={question.isDangerous ? 'error' : 'brand'} disabled={!isOpen}>
            {question.act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
