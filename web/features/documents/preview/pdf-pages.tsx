import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { PdfPage } from './pdf-page.tsx';
import { PdfPassword } from './pdf-password.tsx';
import { loadPdf } from './pdfjs.ts';
import { SCROLLED_BY_KEYS } from './scrolled-by-keys.ts';

type Props = {
  url: string;
  name: string;
  onDownload: () => void;
  onFail: () => void;
  onLoad: () => void;
};

/** The request for the password of a PDF. */
type Question = { answer: (password: string) => void; wasWrong: boolean };

/** The pages of a PDF, for browsers without a PDF viewer; scripts in it are not run. */
export default function PdfPages({ url, name, onDownload, onFail, onLoad }: Props) {
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    const loading = loadPdf({ url });
    let wanted = true;
    let asked = false;
    loading.onPassword = (answer: (password: string) => void) => {
      if (wanted) setQuestion({ answer, wasWrong: asked });
      asked = true;
    };
    loading.promise.then(
      (loaded) => {
        if (!wanted) return;
        setPdf(loaded);
        onLoad();
      },
      () => {
        if (wanted) onFail();
      },
    );
    return () => {
      wanted = false;
      void loading.destroy();
    };
  }, [url, onFail, onLoad]);

  if (pdf === undefined && question !== undefined) {
    return <PdfPassword {...question} onDownload={onDownload} />;
  }
  return (
    <div
      {...SCROLLED_BY_KEYS}
      role="document"
      aria-label={name}
      className="grid h-[60dvh] content-start gap-3 overflow-auto rounded-control bg-mute p-2"
    >
      {pdf !== undefined &&
        pageNumbers(pdf).map((number) => (
          <PdfPage key={number} pdf={pdf} number={number} onDownload={onDownload} />
        ))}
    </div>
  );
}

const pageNumbers = ({ numPages }: PDFDocumentProxy) => Array.from({ length: numPages }, (_, n) => n + 1);
