import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { fileTypes } from './file-types.ts';

interface Props {
  className?: string | undefined;
  isSeveral?: boolean;
  /** Types that the dialog offers. */
  accept?: string;
  onFiles: (files: readonly File[]) => void;
  /** Renders the content; `choose` opens the file dialog, for keyboard users. */
  children: (choose: () => void) => ReactNode;
}

/** An area for dropping or choosing PDF files. */
export function DropZone({ className, isSeveral = false, accept = fileTypes, onFiles, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const taken = [...(files ?? [])].slice(0, isSeveral ? undefined : 1);
    if (taken.length > 0) onFiles(taken);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the way for keys; dropping is a pointer's
    <div
      className={className}
      data-over={isOver || undefined}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      {children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={isSeveral}
        hidden
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
