import { useParams } from 'react-router-dom';
import LogPage from '../../features/checks/log-book/log-page.tsx';
import NotFoundPage from './not-found.tsx';

/** The log of the kind that the address names. */
export default function Log() {
  const { slug = '' } = useParams();
  return <LogPage key={slug} slug={slug} notFound={<NotFoundPage />} />;
}
