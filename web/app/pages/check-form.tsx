import { useParams } from 'react-router-dom';
import CheckFormPage from '../../features/checks/recording/check-form-page.tsx';
import NotFoundPage from './not-found.tsx';

/** The form of what the address names: a check, or what else is written into a log. */
export default function CheckForm() {
  const { slug = '' } = useParams();
  return <CheckFormPage key={slug} slug={slug} notFound={<NotFoundPage />} />;
}
